"""The wordings of each question: `{x}` is its subject, `{p}` the place or person beside it."""

from __future__ import annotations

WHERE = (
    "Where is {x}?",
    "Where is {x}?",
    "Where's {x}?",
    "Where is {x} now?",
    "Where can I find {x}?",
    "Where did {x} go?",
    "Tell me where {x} is.",
    "In which place is {x}?",
)
BEFORE = (
    "Where was {x} before the {p}?",
    "Where was {x} before the {p}?",
    "Where had {x} been before the {p}?",
    "Where was {x} before being in the {p}?",
    "Before the {p}, where was {x}?",
)
BEFORE_CARRIED = (*BEFORE, "Where was {x} before it was in the {p}?")
WHO = (
    "Who has {x}?",
    "Who has {x}?",
    "Who has got {x}?",
    "Who's got {x}?",
    "Who is holding {x}?",
    "Who is carrying {x} now?",
    "Who has {x} now?",
)
IN = ("Is {x} in the {p}?", "Is {x} in the {p}?", "Is {x} in the {p} now?", "Is {x} at the {p}?")
HAS = (
    "Does {p} have {x}?",
    "Does {p} have {x} now?",
    "Has {p} got {x}?",
    "Is {p} holding {x}?",
    "Is {p} carrying {x}?",
)
COUNT = (
    "How many things does {x} have?",
    "How many things does {x} have?",
    "How many things does {x} have now?",
    "How many things has {x} got?",
    "How many things is {x} holding?",
    "How many things is {x} carrying?",
    "How many objects does {x} have?",
)
