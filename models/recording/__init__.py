"""Recording the attention of any PyTorch module, a Hugging Face model among them.

Importing this package imports neither torch nor transformers.
"""
