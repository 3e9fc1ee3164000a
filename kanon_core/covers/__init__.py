"""Who hides behind whom: covers, the cells that a release publishes, and which record fits which row."""
