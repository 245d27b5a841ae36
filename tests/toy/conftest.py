"""The toy game is a package of its own, to be found only where a test puts it on the path."""

collect_ignore_glob = ["toygame/*"]
