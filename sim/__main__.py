"""`python -m sim` is `sim`."""

from sim.cli.main import main

if __name__ == "__main__":
    main()
