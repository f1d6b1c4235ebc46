"""Training of the network that reads sentences word by word."""
