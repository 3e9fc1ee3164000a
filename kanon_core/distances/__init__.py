"""Distances between values, between records, and between places."""

from kanon_core.distances.base import AXIOMS, Distance
from kanon_core.distances.chosen import Part, default, distance_of, parts, reasons
from kanon_core.distances.encodings import Computed, Encoding, Line, Matrix, Mismatch, Scale, Sphere
from kanon_core.distances.product import Product
from kanon_core.distances.values.circle import Around
from kanon_core.distances.values.discrete import Discrete
from kanon_core.distances.values.graph import GivenMatrix, Graph
from kanon_core.distances.values.numbers import Absolute, Calendar
from kanon_core.distances.values.places import GreatCircle
from kanon_core.distances.values.sets import Jaccard
from kanon_core.distances.values.tree import Tree
from kanon_core.distances.values.words import DamerauLevenshtein, Hamming, Levenshtein, NormalizedLevenshtein

DISTANCES: tuple[type[Distance], ...] = (
    Absolute,
    Calendar,
    Around,
    GreatCircle,
    Discrete,
    Tree,
    Graph,
    GivenMatrix,
    Hamming,
    Levenshtein,
    NormalizedLevenshtein,
    DamerauLevenshtein,
    Jaccard,
)
"""Every distance between values of one attribute, in menu order; `Product` joins those of several."""

__all__ = [
    "AXIOMS",
    "DISTANCES",
    "Absolute",
    "Around",
    "Calendar",
    "Computed",
    "DamerauLevenshtein",
    "Discrete",
]
__all__ += ["Distance", "Encoding", "GivenMatrix", "Graph", "GreatCircle", "Hamming", "Jaccard"]
__all__ += ["Levenshtein", "Line", "Matrix", "Mismatch", "NormalizedLevenshtein", "Part", "Product"]
__all__ += ["Scale", "Sphere", "Tree", "default", "distance_of", "parts", "reasons"]
