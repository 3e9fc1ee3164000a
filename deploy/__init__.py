"""What a server for a team is installed from and started by; ``python -m deploy`` makes what is pinned."""
