"""The commands of `heed`."""
