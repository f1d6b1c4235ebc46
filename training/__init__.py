"""Training of the shipped models, and of your own."""
