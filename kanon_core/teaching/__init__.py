"""Teaching: runs of algorithms step by step, lessons, and the glossary."""
