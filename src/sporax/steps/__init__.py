"""Training steps, and tools to look into them."""

from sporax.steps.explain import GradReport, explain_grads

__all__ = ["GradReport", "explain_grads"]
