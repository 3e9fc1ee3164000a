"""Files from which a server for a team is installed and started; ``python -m deploy`` makes what is pinned."""
