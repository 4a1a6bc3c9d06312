"""Pure functions on arrays, by family: the only code besides the core that knows JAX."""
