"""`python -m referee`: the same as the command `referee`."""

from .cli import main

if __name__ == "__main__":
    main()
