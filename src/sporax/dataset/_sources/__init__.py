"""Sources of rows, a family per file."""
