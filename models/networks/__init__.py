"""The PyTorch networks."""
