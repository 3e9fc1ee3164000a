"""Which recipes are repeated over many files, and what such files are not read as."""

from __future__ import annotations

from kanon_core.base.words import later, tr
from kanon_core.release.recipe import KEYED, Recipe, RecipeError
from kanon_core.table.rowdigest import covers_all, is_keyed

_AS_A_WHOLE = later(
    "The digest in the recipe is that of a table as a whole, as of earlier builds of Kanon: it cannot be"
    " found in parts. Repeat it on one machine, whose new recipe goes over many files."
)
_IN_ORDER = later(
    "The recipe is one of records in the order of their file, which rows of many files have not; repeat it on"
    " one machine."
)
_SKIPPED = ("skip", "skip_rows", "skip_end")
_NOT_FOUND = ("missing", "keep", "decimal", "typed", "long", "without", "names", "sheet", *_SKIPPED)
"""What somebody said of how a file is to be read; the rest is found out, in files of a folder too."""


def check_repeatable(recipe: Recipe) -> None:
    """Raises RecipeError where the digest of a recipe cannot be found in many files."""
    if recipe.given_order:
        raise RecipeError(tr(_IN_ORDER))
    if is_keyed(recipe.data_digest):
        raise RecipeError(tr(KEYED))
    if covers_all(recipe.data_digest) is None:
        raise RecipeError(tr(_AS_A_WHOLE))


def how_it_was_read(recipe: Recipe) -> list[str]:
    """Where the file of a recipe was read in a way of its own, a sentence that says so: files of a folder,
    which are read as they stand, may then have other cells.

    >>> import kanon_core as kc
    >>> release = kc.anonymize(kc.read_table(b"a;b\\n1;?\\n2;3\\n", missing=("?",)), kc.Sorting(), 2, seed=1)
    >>> print(*how_it_was_read(release.recipe))
    Its file was read with missing; those of a folder are read as they stand: write the cells of the table.
    """
    own = [name for name in recipe.reading if name in _NOT_FOUND]
    if not own:
        return []
    said = tr(
        "Its file was read with {names}; those of a folder are read as they stand: write the cells of the"
        " table."
    )
    return [said.format(names=", ".join(own))]
