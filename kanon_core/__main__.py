"""``python -m kanon_core``: the command ``kanon``."""

import sys

from kanon_core.cli import main

if __name__ == "__main__":
    sys.exit(main())
