"""A Vision Transformer that learns from a convolutional network: training and evaluation."""
