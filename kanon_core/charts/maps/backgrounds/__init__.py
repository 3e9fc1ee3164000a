"""Backgrounds of one's own: lines of a GeoJSON file, picture tiles of an MBTiles or PMTiles file."""
