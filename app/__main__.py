"""`python -m heed.app` runs the command `heed`."""

import sys

from heed.app.cli import main

if __name__ == "__main__":
    sys.exit(main())
