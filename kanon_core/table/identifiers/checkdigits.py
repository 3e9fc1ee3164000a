"""Check digits: whether numbers of one length are written without a slip, many at once.

Each function takes the characters of n numbers of L characters as int64 (n, L), digits as 0 … 9 and letters
from A = 10 on, and returns n booleans. For a number drawn at random it says True about once in ten to a
hundred times.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_A, _B = np.indices((10, 10))
_TIMES = np.where(_A < 5, _A + _B, _A - _B) % 5 + 5 * ((_A < 5) != (_B < 5))
"""Products of the ten symmetries of a pentagon: turns 0 to 4, mirrors 5 to 9."""
_TURN = np.array([1, 5, 7, 6, 2, 8, 3, 0, 9, 4])
_ODD_LETTERS = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"


def luhn(digits: np.ndarray) -> np.ndarray:
    """Return whether the sum by Luhn (every second digit doubled, from the right) ends in 0.

    >>> luhn(np.array([[4, 9, 9, 2, 7, 3, 9, 8, 7, 1, 6], [4, 9, 9, 2, 7, 3, 9, 8, 7, 1, 7]])).tolist()
    [True, False]
    """
    doubled = digits.copy()
    doubled[:, -2::-2] *= 2
    return np.asarray((doubled // 10 + doubled % 10).sum(axis=1) % 10 == 0)


def verhoeff(digits: np.ndarray) -> np.ndarray:
    """Return whether the check digit by Verhoeff holds, as in Aadhaar numbers.

    >>> verhoeff(np.array([[2, 3, 6, 3], [2, 3, 6, 4]])).tolist()
    [True, False]
    """
    check, turned = np.zeros(len(digits), np.int64), np.arange(10)
    for place in range(digits.shape[1]):
        check = _TIMES[check, turned[digits[:, -1 - place]]]
        turned = turned[_TURN]
    return np.asarray(check == 0)


def weighed(digits: np.ndarray, weights: Sequence[int], modulus: int) -> np.ndarray:
    """Return whether the digits, each times its weight, add up to a multiple of the modulus.

    >>> weighed(np.array([[1, 1, 1, 2, 2, 2, 3, 3, 3]]), (9, 8, 7, 6, 5, 4, 3, 2, -1), 11).tolist()
    [True]
    """
    return np.asarray((digits @ np.asarray(weights)) % modulus == 0)


def bsn(digits: np.ndarray) -> np.ndarray:
    """Return whether the 11-test of Dutch citizen service numbers holds."""
    return weighed(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1), 11)


def pesel(digits: np.ndarray) -> np.ndarray:
    """Return whether a Polish PESEL holds: its check digit, and a month and a day in it."""
    months, days = digits[:, 2] % 2 * 10 + digits[:, 3], digits[:, 4] * 10 + digits[:, 5]
    dated = (months >= 1) & (months <= 12) & (days >= 1) & (days <= 31)
    return np.asarray(weighed(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1), 10) & dated)


def personnummer(digits: np.ndarray) -> np.ndarray:
    """Return whether the last ten digits are a Swedish personnummer: by Luhn, with a month and a day (from 61
    on of coordination numbers)."""
    last = digits[:, -10:]
    months, days = last[:, 2] * 10 + last[:, 3], (last[:, 4] * 10 + last[:, 5]) % 60
    return np.asarray(luhn(last) & (months >= 1) & (months <= 12) & (days >= 1) & (days <= 31))


def cpf(digits: np.ndarray) -> np.ndarray:
    """Return whether both check digits of a Brazilian CPF hold, and not all its digits are the same."""
    first = digits[:, :9] @ np.arange(10, 1, -1) * 10 % 11 % 10
    second = digits[:, :10] @ np.arange(11, 1, -1) * 10 % 11 % 10
    same = (digits == digits[:, :1]).all(axis=1)
    return np.asarray((first == digits[:, 9]) & (second == digits[:, 10]) & ~same)


def my_number(digits: np.ndarray) -> np.ndarray:
    """Return whether the check digit of a Japanese individual number (マイナンバー) holds.

    >>> my_number(np.array([[1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 8]])).tolist()
    [True]
    """
    rest = digits[:, :11] @ np.array([6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11
    return np.asarray(np.where(rest <= 1, 0, 11 - rest) == digits[:, 11])


def ean13(digits: np.ndarray) -> np.ndarray:
    """Return whether the check digit by EAN-13 holds."""
    return weighed(digits, (1, 3) * 6 + (1,), 10)


def nir(digits: np.ndarray) -> np.ndarray:
    """Return whether the key of a French NIR holds: 97 less the rest of the 13 digits by 97. Corsica's 2A and
    2B count as 19 and 18."""
    plain = digits[:, :13].copy()
    for letter, stands in ((10, (1, 9)), (11, (1, 8))):
        plain[plain[:, 6] == letter, 5:7] = stands
    whole = plain @ 10 ** np.arange(12, -1, -1)
    return np.asarray(97 - whole % 97 == digits[:, 13] * 10 + digits[:, 14])


def dni(digits: np.ndarray) -> np.ndarray:
    """Return whether the letter of a Spanish DNI, or NIE with X, Y or Z at its beginning, holds.

    >>> dni(np.array([[1, 2, 3, 4, 5, 6, 7, 8, 35], [33, 1, 2, 3, 4, 5, 6, 7, 21]])).tolist()
    [True, True]
    """
    begin = np.where(digits[:, 0] >= 33, digits[:, 0] - 33, digits[:, 0])
    whole = begin * 10**7 + digits[:, 1:8] @ 10 ** np.arange(6, -1, -1)
    letters = np.array([ord(letter) - ord("A") + 10 for letter in _DNI])
    return np.asarray(letters[whole % 23] == digits[:, 8])


def codice_fiscale(digits: np.ndarray) -> np.ndarray:
    """Return whether the last letter of an Italian codice fiscale holds."""
    value = np.where(digits >= 10, digits - 10, digits)
    odd = np.array(_ODD_LETTERS)[value[:, 0:15:2]].sum(axis=1)
    return np.asarray((odd + value[:, 1:15:2].sum(axis=1)) % 26 == value[:, 15])


def mod97(digits: np.ndarray) -> np.ndarray:
    """Return whether the rest by 97 is 1 after the first four characters went to the end, as in an IBAN.

    >>> iban = "GB82WEST12345698765432"
    >>> mod97(np.array([[int(character, 36) for character in iban]])).tolist()
    [True]
    """
    rest = np.zeros(len(digits), np.int64)
    for column in np.roll(digits, -4, axis=1).T:
        rest = (rest * np.where(column >= 10, 100, 10) + column) % 97
    return np.asarray(rest == 1)
