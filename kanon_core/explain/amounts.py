"""Numbers in sentences, exact enough to be checked by hand."""

from __future__ import annotations

import math

from kanon_core.base.words import tr


def amount(value: float, digits: int = 4) -> str:
    """A number with so many significant digits, whole ones in full; exponents only far from 1.

    >>> amount(-57.75), amount(2 / 3), amount(12345.6), amount(1e-7), amount(math.inf)
    ('−57.75', '0.6667', '12,346', '1e-07', '∞')
    """
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞"
    if value and not 1e-4 <= abs(value) < 1e15:
        text = f"{value:.{digits}g}"
    elif float(value).is_integer():
        text = f"{value:,.0f}"
    else:
        decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
        text = f"{value:,.{decimals}f}"
        text = text.rstrip("0").rstrip(".") if decimals else text
    return text.replace("-", "−", 1) if value < 0 else text


def apart(one: float, other: float) -> tuple[str, str]:
    """Two numbers with as many digits as tell them apart, at most twelve: beyond, only rounding does.

    >>> apart(3.2, 4.1), apart(0.12341, 0.12342)
    (('3.2', '4.1'), ('0.12341', '0.12342'))
    """
    for digits in range(4, 13):
        texts = amount(one, digits), amount(other, digits)
        if texts[0] != texts[1]:
            return texts
    return amount(one), amount(other)


def nearest_text(count: int) -> str:
    """Whose company a record takes: its nearest, or its so many nearest.

    >>> nearest_text(1), nearest_text(2)
    ('its nearest', 'its 2 nearest')
    """
    return tr("its nearest") if count == 1 else tr("its {count} nearest").format(count=count)
