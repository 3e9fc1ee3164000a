"""Teaching: stories of how algorithms came to their groups, lessons, and the meaning of words."""
