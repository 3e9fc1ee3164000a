"""The foundation of the package: errors, progress, options, randomness, compiled code."""
