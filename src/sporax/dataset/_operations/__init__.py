"""The operations of pipelines, a family per file."""
