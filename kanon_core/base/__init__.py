"""What everything stands on: errors, progress, options, randomness, compiled code."""
