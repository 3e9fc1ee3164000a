"""Top-down: item sets, numbers and categories disclosed step by step."""
