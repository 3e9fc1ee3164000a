"""Files that install and start a server for a team; ``python -m deploy`` makes what is pinned."""
