"""How the algorithms of partitioning are told."""
