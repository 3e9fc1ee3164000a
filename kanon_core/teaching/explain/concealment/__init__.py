"""How the algorithms of concealment are told."""
