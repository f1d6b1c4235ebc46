"""Reading image files that nobody vouches for."""
