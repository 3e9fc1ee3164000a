"""Released files, whoever made them, read back beside their original."""
