"""A distance as one word of a command line: its name, or, if it has options, the JSON of a recipe.

levenshtein
{"name": "Absolute", "options": {"scale": "sd"}}
"""

from __future__ import annotations

import json

from kanon_core.base import options
from kanon_core.base.errors import OptionError
from kanon_core.base.words import tr
from kanon_core.distances import DISTANCES
from kanon_core.distances.base import Distance


def from_word(word: str) -> Distance:
    """The distance of this word; letters' case does not matter in a name. Raises OptionError."""
    named = {cls.__name__.lower(): cls for cls in DISTANCES}
    if not word.lstrip().startswith("{"):
        found = named.get(word.strip().lower())
        if found is None:
            raise OptionError(
                tr("There is no distance “{name}”; choose from {names}.").format(
                    name=word.strip(), names=", ".join(named)
                )
            )
        return found()
    try:
        distance = options.from_json(json.loads(word))
    except ValueError:
        raise OptionError(
            tr("The options of the distance could not be read; write them as JSON, as in a recipe.")
        ) from None
    if not isinstance(distance, Distance):
        raise OptionError(
            tr("{name} is not a distance; choose from {names}.").format(
                name=type(distance).__name__, names=", ".join(named)
            )
        )
    return distance


def to_word(distance: Distance) -> str:
    """The word that `from_word` reads; it holds no equals sign, which the command line splits at."""
    if distance == type(distance)():
        return type(distance).__name__.lower()
    return json.dumps(options.to_json(distance), ensure_ascii=False).replace("=", "\\u003d")
