"""Loss against k, and all measures of a release."""
