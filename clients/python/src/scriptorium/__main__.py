"""Runs the command line: python -m scriptorium."""

import sys

from .cli.main import main

sys.exit(main())
