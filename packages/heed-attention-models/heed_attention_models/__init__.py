"""Models of Heed: folders of weights, which Heed finds by the entry point of this package."""
