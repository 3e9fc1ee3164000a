"""Tune page: k, a picture, the curve and the findings on one screen."""
