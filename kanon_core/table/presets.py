"""Files of roles: the roles, kinds and options of columns, for use with other tables."""

from __future__ import annotations

import dataclasses
import json

from kanon_core.base.errors import InputError, SchemaError
from kanon_core.base.version import __version__
from kanon_core.base.words import tr
from kanon_core.table.schema import Attribute, Schema


def preset_text(schema: Schema) -> str:
    """The schema as JSON text, for a file. No value of the data is in it, but for those that hierarchies,
    categories and distances name (`naming_values`).

    >>> from kanon_core.table.schema import Attribute
    >>> preset_of(preset_text(Schema((Attribute("age", kind="numeric"),)))).names
    ('age',)
    """
    return json.dumps({"kanon": __version__, "schema": schema.to_json()}, indent=2, ensure_ascii=False)


def preset_of(text: str | bytes) -> Schema:
    """The schema that `preset_text` wrote, or that of a recipe. Raises InputError for any other text, and
    SchemaError for a column that cannot have these settings."""
    try:
        written = json.loads(text)["schema"]
        if not isinstance(written, list):
            raise TypeError
    except (KeyError, TypeError, ValueError, RecursionError):
        raise InputError(
            tr("This is not a file of roles; choose the JSON file that Kanon saved, or a recipe.")
        ) from None
    return Schema.from_json(written)


def with_preset(schema: Schema, known: Schema) -> Schema:
    """Return the schema with the settings that the other one has for columns of the same name; other columns
    stay as they are. Raises SchemaError when no column is in both.

    >>> from kanon_core.table.schema import Attribute
    >>> now = Schema((Attribute("age"), Attribute("city")))
    >>> [a.role for a in with_preset(now, Schema((Attribute("age", role="other"), Attribute("zip"))))]
    ['other', 'quasi_identifier']
    """
    said = {attribute.name: attribute for attribute in known if attribute.name in schema.names}
    if not said:
        raise SchemaError(
            tr("The file has the roles of other columns; choose a file with columns of this table.")
        )
    return Schema(tuple(said.get(attribute.name, attribute) for attribute in schema))


def naming_values(schema: Schema) -> tuple[str, ...]:
    """Return the columns whose data values a file of roles contains."""
    return tuple(attribute.name for attribute in schema if _names_values(attribute))


def _names_values(attribute: Attribute) -> bool:
    """A hierarchy, categories and an order list values; so does a distance that is given as edges or
    parents."""
    listed = attribute.distance is not None and any(
        isinstance(getattr(attribute.distance, option.name), tuple)
        for option in dataclasses.fields(attribute.distance)
    )
    trees = attribute.hierarchy is not None or attribute.categories is not None
    return trees or bool(attribute.order) or listed
