"""Parts that the training of every task shares."""
