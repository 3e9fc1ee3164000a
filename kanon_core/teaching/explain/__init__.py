"""Stories: the decisions of a real run of an algorithm, step by step.

`make_story` runs an algorithm on a small table, with its log, and returns its `Story`: steps of one sentence
and one picture each, which end in the cover of that very run. For a new algorithm, add one file with a
subclass of `Narration` and one line in `kanon_core.teaching.explain.story.NARRATIONS`.
"""

from kanon_core.teaching.explain.narration import Logged, Narration, Step
from kanon_core.teaching.explain.story import NARRATIONS, RECORDS_AT_MOST, Story, make_story, narration_of

__all__ = [
    "NARRATIONS",
    "RECORDS_AT_MOST",
    "Logged",
    "Narration",
    "Step",
    "Story",
    "narration_of",
    "make_story",
]
