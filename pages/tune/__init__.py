"""The seat: k, the picture, the curve and the findings on one screen."""
