"""Passes over the encoded parts: questions that each part answers by itself, and the cuts that follow."""
