"""Masking: methods that change values, or sample records, and guarantee no k.

They are those of the ILD paper's list (§2.2.1) that do not group records. A masking makes a `Release`, as an
algorithm does, so metrics, attacks and findings accept it; it guarantees no anonymity sets. The rest of the
list: every release deletes columns, makes pseudonyms and generalizes, by roles and recodings; suppression
leaves out single records; synthetic data are not made.
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
