"""Scripts that write a page in one file, each run by the Python that has its program."""
