"""Generated dates and numbers: training data and evaluation."""
