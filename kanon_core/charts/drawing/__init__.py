"""Figures as HTML with SVG, without any script: quick beside a slider, and in files that are printed."""
