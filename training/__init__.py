"""How the shipped models were made, and how to make your own."""
