"""The web application and command line of Heed. They run no tensor code: `heed.models` does."""
