"""Groups of a release in two dimensions, item sets, people, and matchings."""
