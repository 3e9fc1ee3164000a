"""Masking: what is published in place of values by methods that promise no k.

The ILD paper's list (§2.2.1) of what is done to values besides grouping records. A masking makes a `Release`
as an algorithm does, so that metrics, attacks and findings take it; it says nothing of who hides among whom.
Of the list, deleting columns, pseudonyms and generalization are what every release does by its roles and
recodings; leaving out single records is suppression; synthetic data are not made.
"""

from kanon_core.masking.base import Masking, NoPromise, mask
from kanon_core.masking.coding import TopBottomCoding
from kanon_core.masking.noise import Noise
from kanon_core.masking.rounding import Rounding
from kanon_core.masking.sampling import Sampling
from kanon_core.masking.swapping import Swapping

MASKINGS: tuple[type[Masking], ...] = (TopBottomCoding, Rounding, Noise, Swapping, Sampling)
"""Every masking, in the order of the paper's list."""

__all__ = [
    "MASKINGS",
    "Masking",
    "NoPromise",
    "Noise",
    "Rounding",
    "Sampling",
    "Swapping",
    "TopBottomCoding",
    "mask",
]
