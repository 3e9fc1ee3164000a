"""Recognition of free text: values that read like sentences and may contain names and places."""

from __future__ import annotations

import re

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

_TRIED = 400
_SHORTEST = 12
_SHORTEST_JA = 8
_HALF = 0.5
_MANY, _SEVERAL = 20, 5
_REPEATED = 20
_SINGLE = 0.7

_RUNNING = (
    "a an the is are was were be been has have had having he she they we you i my me his him her hers our us"
    " their them it its this that these those not no will would can could should may might must do does did"
    " says said asked told wants wanted called for from at on about after before because when while but very"
    " who which what there here still again also if so than then until since"
    " der die das den dem ein eine einen einem einer ist sind war waren hat haben hatte wird wurde wurden er"
    " sie es wir ich mein meine sein seine ihr ihre nicht kein keine sehr auch aber weil dass nach bei seit"
    " zum zur vom im am für über noch schon wenn"
    " le les un une est sont était a ont avait il elle je nous vous ils elles mon ma ses son sa ne pas que"
    " qui pour avec dans mais très après chez été plus ce"
    " cette"
    " los las una es era fue son ha han había su sus mi no muy pero porque para con yo ella ellos nosotros"
    " qué después cuando desde está"
    " não ele ela foi está sobre ligou disse uma quando porque"
    " het niet werd ook maar heeft belde voor naar zij hij haar omdat"
    " il lo che non è ha sono suo sua perché quando ho"
    " nie jest był była się ale że sprawie dzwonił dzwoniła"
    " och att det som är inte har hade på men när ringde"
    " phoned wegen rief sagte"
)
_WORDS_OF_SENTENCES = frozenset(_RUNNING.split())
_WORD = re.compile(r"[^\W\d_]+")
_END = re.compile(r"[.!?…][\"'”’)]*\s*$|[.!?…]\s+[^\W\d_]")
_KANA = re.compile("[ぁ-ゖ]")
_JAPANESE = re.compile("[ぁ-ゖァ-ヶ一-鿿]")
_CLAUSES = re.compile(
    "[。！？]|(?:です|ます|した|ない|ている|である|だった|だが|ので|から)(?:[、。！？\\s]|$)"
)


def reads_like_sentences(values: pd.Series) -> bool:
    """Return whether these texts, missing ones left out, are free text: most of the different ones read like
    sentences (`is_sentence`), and there are many, or most occur once. One answer of few that many chose, such
    as “I strongly agree with this.”, is none. Cost O(n) to measure lengths, and to count the values of
    columns with long ones.

    >>> notes = [f"Mr. Mori of bed {bed} called about the bill." for bed in range(60)]
    >>> reads_like_sentences(pd.Series([*notes, *["Nothing to report."] * 440]))
    True
    >>> reads_like_sentences(pd.Series(["Yes, I do agree with that.", "No, I do not."] * 30))
    False
    """
    texts = _texts_of(values)
    if texts is None or not _is_long(texts):
        return False
    counts = pc.value_counts(texts.drop_null())
    different, often = counts.field("values"), counts.field("counts")
    if len(different) < _SEVERAL:
        return False
    tried = different.take(_spread(len(different))).to_pylist()
    once, total = pc.sum(pc.equal(often, 1)).as_py() or 0, pc.sum(often).as_py()
    reads = is_prose if 2 * len(different) >= total else is_sentence
    if sum(map(reads, tried)) < _HALF * len(tried):
        return False
    many = len(different) >= _MANY and (total <= _REPEATED * len(different) or once >= _SEVERAL)
    return bool(many or once >= _SINGLE * len(different))


def is_sentence(text: str) -> bool:
    """Return whether a text reads like a sentence: four words or more with a full stop among or after them,
    or with two words that only running text has (is, she, about, nicht …). Japanese has no blanks, so the
    ends of clauses count, or enough kana beside the kanji.

    >>> [is_sentence(text) for text in (
    ...     "Anna from Leeds asked for a call", "Type 2 diabetes mellitus without complications",
    ...     "患者は東京の田中さんから紹介された。", "WHITE HANGING HEART T-LIGHT HOLDER")]
    [True, False, True, False]
    """
    if _JAPANESE.search(text):
        japanese = len(_JAPANESE.findall(text))
        if japanese >= max(_SHORTEST_JA, 0.3 * len(text)):
            kana = len(_KANA.findall(text))
            clauses = bool(_CLAUSES.search(text)) and kana >= 3
            return clauses or ("、" in text and kana >= 0.3 * japanese and japanese >= 2 * _SHORTEST_JA)
    words = _WORD.findall(text)
    if len(words) < 4 or len(text) < _SHORTEST:
        return False
    small = [word for word in words if word[0].islower()]
    running = len({word.casefold() for word in words} & _WORDS_OF_SENTENCES)
    if running >= 2 and small:
        return True
    return bool(_END.search(text)) and len(small) >= len(words) / 2


def is_prose(text: str) -> bool:
    """Return whether a text is a sentence, or could be one without a full stop: six words or more, most in
    small letters, with a name among them. It is for columns whose values hardly repeat: there, a doubtful
    text is protected.

    >>> is_prose("Mrs Meyer phoned re invoice 12 and complained"), is_prose("Type 2 diabetes mellitus")
    (True, False)
    """
    words = _WORD.findall(text)
    small = sum(word[0].islower() for word in words)
    named = any(word[0].isupper() and not word.isupper() for word in words[1:])
    return is_sentence(text) or (len(words) >= 6 and 2 * small >= len(words) and named)


def _texts_of(values: pd.Series) -> pa.Array | None:
    """The texts of a column of texts; None for other types."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        values = values.astype(object)
    if not (pd.api.types.is_string_dtype(values) or values.dtype == object):
        return None
    try:
        texts = pa.array(values, pa.large_string(), from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return None
    return texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts


def _is_long(texts: pa.Array) -> bool:
    longest = pc.max(pc.utf8_length(texts)).as_py()
    return longest is not None and longest >= _SHORTEST_JA


def _spread(count: int) -> pa.Array:
    """The places of at most 400 of so many, evenly spread."""
    step = max(1, count // _TRIED)
    return pa.array(range(0, count, step)[:_TRIED])
