"""Training and evaluation of visual question answering."""
