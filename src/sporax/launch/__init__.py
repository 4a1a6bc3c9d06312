"""Starting programs: what only programs of earlier MindSpore releases need."""
