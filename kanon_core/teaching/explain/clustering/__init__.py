"""How the algorithms of clustering are told."""
