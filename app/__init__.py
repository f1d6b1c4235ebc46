"""The server and the command line of Heed. Everything that touches a tensor is in `models`."""
