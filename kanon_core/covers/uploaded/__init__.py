"""Released files, of whatever maker, read back beside their original."""
