"""Numbers of persons and of their possessions: from states and banks, of phones and cars.

All are declared here: where they are given, what columns of them are called, how they are written, and how
their check digits are tried (Ministries' and banks' own rules; `kanon_core.table.identifiers.checkdigits`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from kanon_core.base.words import later
from kanon_core.table.identifiers import checkdigits

ENOUGH = 10
"""A kind of number is recognized by its check digits from so many different values on."""
_TRIED = 500
_SHARE = 0.95
_BETWEEN = re.compile(r"[\s.\-/]")
_LONGEST = 40
_DIGIT_RUN = re.compile(r"(?:\d[\s.\-/()]*){5}")
_LONG_RUN = re.compile(r"(?:\d[\s.\-/()]*){8}|[A-Z0-9]{9,}", re.I)


@dataclass(frozen=True)
class PersonalNumber:
    """A kind of number: its ``title`` and ``country``; ``names`` of columns, as `naming.spaced` writes them
    in lower case, with bars between; ``short`` ones, which also mean something else and count only where
    values have five digits; the ``pattern`` of a whole value in capitals without blanks, dots, dashes and
    slashes (``raw``: of the value as it is); ``check``, which tries check digits (`checkdigits`), None where
    there are none; and ``length`` in digits, as which whole numbers are read (zeros in front are lost)."""

    title: str
    country: str
    names: str
    pattern: str
    check: Callable[[np.ndarray], np.ndarray] | None = None
    short: str = ""
    length: int = 0
    raw: bool = False

    def holds(self, values: Iterable[str]) -> bool:
        """Return whether nearly all of these different texts are such numbers, check digits included."""
        texts = [text if self.raw else _BETWEEN.sub("", text).upper() for text in values]
        fitting = [text for text in texts if re.fullmatch(self.pattern, text)]
        if not texts or len(fitting) < _SHARE * len(texts):
            return False
        return self.check is None or self._checked(fitting) >= _SHARE * len(texts)

    def _checked(self, texts: list[str]) -> int:
        """Return how many texts pass the check; each length is tried as a whole."""
        assert self.check is not None
        sized: dict[int, list[list[int]]] = {}
        for text in texts:
            sized.setdefault(len(text), []).append([int(character, 36) for character in text])
        return sum(int(self.check(np.array(digits, np.int64)).sum()) for digits in sized.values())


NUMBERS: tuple[PersonalNumber, ...] = (
    PersonalNumber(
        later("individual number (My Number)"),
        "Japan",
        "my ?number|individual number|マイナンバー|個人番号",
        r"\d{12}",
        checkdigits.my_number,
        length=12,
    ),
    PersonalNumber(
        later("resident record code"), "Japan", "住民票コード|住民票番号|juminhyo ?code", r"\d{11}", None
    ),
    PersonalNumber(
        later("citizen service number (BSN)"),
        "Netherlands",
        "burgerservicenummer|burger service nummer|sofinummer|citizen service number",
        r"\d{9}",
        checkdigits.bsn,
        "bsn",
        9,
    ),
    PersonalNumber(later("PESEL"), "Poland", "pesel", r"\d{11}", checkdigits.pesel, length=11),
    PersonalNumber(
        later("personal identity number (personnummer)"),
        "Sweden",
        "personnummer|samordningsnummer|personal identity number",
        r"(?:19|20)?\d{6}[+]?\d{4}",
        checkdigits.personnummer,
        length=10,
    ),
    PersonalNumber(
        later("identity number (DNI, NIE)"),
        "Spain",
        "documento nacional de identidad|número de identidad|numero de identidad",
        r"(?:\d|[XYZ])\d{7}[A-Z]",
        checkdigits.dni,
        "dni|nie|nif",
    ),
    PersonalNumber(
        later("taxpayer number (CPF)"),
        "Brazil",
        "cadastro de pessoas físicas|cadastro de pessoas fisicas",
        r"\d{11}",
        checkdigits.cpf,
        "cpf",
        11,
    ),
    PersonalNumber(
        later("registration number (NIR)"),
        "France",
        "numéro de sécurité sociale|numero de securite sociale|sécurité sociale|numéro sécu",
        r"[1-478]\d{4}(?:\d\d|2[AB])\d{8}",
        checkdigits.nir,
        "nir|insee",
        15,
    ),
    PersonalNumber(
        later("insured person's number (AHV, AVS)"),
        "Switzerland",
        "ahv ?(nr|nummer|number)|avs ?(no|number)|numéro avs|ahvn13|navs13|sozialversicherungsnummer",
        r"756\d{10}",
        checkdigits.ean13,
        "ahv|avs",
        13,
    ),
    PersonalNumber(
        later("Aadhaar number"),
        "India",
        "aadhaar|aadhar|uidai",
        r"[2-9]\d{11}",
        checkdigits.verhoeff,
        length=12,
    ),
    PersonalNumber(
        later("National Insurance or NHS number"),
        "United Kingdom",
        "nino|national insurance( number| no)?|nhs ?(number|no)",
        r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]?",
    ),
    PersonalNumber(
        later("tax code (codice fiscale)"),
        "Italy",
        "codice fiscale|codicefiscale",
        r"[A-Z]{6}[0-9L-NP-V]{2}[A-EHLMPRST][0-9L-NP-V]{2}[A-Z][0-9L-NP-V]{3}[A-Z]",
        checkdigits.codice_fiscale,
    ),
    PersonalNumber(later("device number (IMEI)"), "", "imei|imsi", r"\d{15}", checkdigits.luhn, length=15),
    PersonalNumber(
        later("vehicle identification number (VIN)"),
        "",
        "vehicle identification number|vin ?(number|no|code)|fahrgestellnummer|fahrgestellnr|車台番号",
        r"(?=.*[A-Z])(?=(?:.*\d){4})[A-HJ-NPR-Z0-9]{17}",
        short="vin",
    ),
    PersonalNumber(
        later("bank account number (IBAN)"), "", "iban", r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", checkdigits.mod97
    ),
    PersonalNumber(
        later("card number"),
        "",
        "(credit|debit|bank|payment) ?card( ?(number|no|nr))?|kreditkarte(nnummer)?|kartennummer"
        "|numéro de carte|número de tarjeta|クレジットカード番号|カード番号",
        r"[2-6]\d{12,18}",
        checkdigits.luhn,
    ),
    PersonalNumber(
        later("account number"),
        "",
        "account ?(number|no|nr)|bank ?account|kontonummer|kontonr|kto ?nr|numéro de compte|número de cuenta"
        "|rekeningnummer|口座番号",
        r"(?!)",
        short="konto|compte|cuenta|口座",
    ),
    PersonalNumber(
        later("phone number"),
        "",
        "telefonnummer|handynummer|handy|rufnummer|numéro de téléphone|número de teléfono|telefono|telefoon"
        "|携帯|携帯電話番号|連絡先電話番号",
        r"\+\d[\d\s\-./()]{6,18}|0\d{1,4}[\s\-./]\d{1,4}[\s\-.]\d{3,4}|\(\d{2,5}\)\s?\d{2,4}[\s\-.]\d{3,4}",
        short="tel",
        raw=True,
    ),
    PersonalNumber(
        later("e-mail address"),
        "",
        "e ?mail ?(addr|adresse)|mailadresse|courriel|adresse (e ?)?mail|correo electrónico|電子メール",
        r"[^@\s]{1,64}@[^@\s]{1,64}",
        raw=True,
    ),
)
"""All kinds of numbers; those with check digits are also recognized by their values."""

OWN_NAMES = "|".join(number.names for number in NUMBERS)
"""The names of columns of such numbers, as a regular expression."""
SHORT_NAMES = "|".join(number.short for number in NUMBERS if number.short)
"""Names among these that have other meanings, too."""


def has_digits(values: pd.Series) -> bool:
    """Return whether any of the first different values has five digits, as numbers of persons do, or an @.

    >>> has_digits(pd.Series(["yes", "no"])), has_digits(pd.Series(["030 123456"]))
    (False, True)
    """
    texts = as_texts(values.drop_duplicates().head(_TRIED))
    return any("@" in text or _DIGIT_RUN.search(text) for text in texts)


def are_long(values: pd.Series) -> bool:
    """Return whether any of the first different values has eight digits, or nine letters and digits in a row.

    >>> are_long(pd.Series([75100, 75101])), are_long(pd.Series(["1234 567 89"]))
    (False, True)
    """
    return any(map(_LONG_RUN.search, as_texts(values.drop_duplicates().head(_TRIED))))


def personal_number(values: pd.Series) -> PersonalNumber | None:
    """Return the kind of number that nearly all of these present values have, by form and check digits; None
    for other values, and for fewer than ten different ones. At most the first 500 different values are tried.

    >>> import numpy as np
    >>> first = pd.Series([f"{n:010d}" for n in range(3_300_000_000, 3_300_000_900)])
    >>> personal_number(first) is None
    True
    """
    if not _may_be(values):
        return None
    texts = as_texts(values.drop_duplicates().head(_TRIED))
    if len(texts) < ENOUGH or sum(map(_is_likely, texts)) < _SHARE * len(texts):
        return None
    if not pd.api.types.is_numeric_dtype(values):
        told = (number for number in NUMBERS if number.check or number.raw)
        return next((number for number in told if number.holds(texts)), None)
    checked = (number for number in NUMBERS if number.check and number.pattern.count("A-Z") == 0)
    return next((number for number in checked if number.holds(_filled(texts, number.length))), None)


def as_texts(values: pd.Series) -> list[str]:
    """Return the values as texts; whole numbers without a point."""
    if pd.api.types.is_float_dtype(values):
        return [str(int(value)) for value in values if np.isfinite(value)]
    return [str(value).strip() for value in values]


def _may_be(values: pd.Series) -> bool:
    """Return whether the first values alone do not rule it out."""
    if not len(values):
        return False
    if pd.api.types.is_numeric_dtype(values):
        return float(values.iloc[: 2 * ENOUGH].max()) >= 10**7
    return any(map(_is_likely, as_texts(values.iloc[: 2 * ENOUGH])))


def _is_likely(text: str) -> bool:
    """Return whether it is short enough, and has digits enough or an @."""
    return len(text) <= _LONGEST and ("@" in text or sum(map(str.isdecimal, text)) >= 5)


def _filled(texts: list[str], length: int) -> list[str]:
    """Whole numbers with the zeros in front that they lost, at most two."""
    return [text.zfill(length) if length - 2 <= len(text) else text for text in texts]
