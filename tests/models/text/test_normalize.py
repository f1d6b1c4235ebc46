"""Words in capitals and unknown characters are replaced by known ones."""

from time import perf_counter

import pytest

from heed.models.text.tokenizer import BytePieces

LEARNED = [
    "The cat sat on the mat, didn't it? I'm in Paris and I see the TV. ",
    "L'été, the big dog is at home. She is in Paris. ",
    "日本語を話す。",
]
PIECES = BytePieces.train(LEARNED * 9, 420)
SPACED = BytePieces(PIECES._tokenizer, spaced=True)


def normalized_text(text: str) -> str:
    return "".join(part or "" for part in PIECES._normalizer.parts(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("THE CAT SAT ON THE MAT", "The cat sat on the mat"),
        ("SHE IS IN PARIS.", "She is in Paris."),
        ("THE CAT. THE DOG!", "The cat. The dog!"),
        ("I SEE THE TV", "I see the TV"),
        ("I'M AT HOME, DIDN'T IT?", "I'm at home, didn't it?"),
        ("the BIG dog", "the big dog"),
        ("L'ÉTÉ", "L'été"),
        ("“THE CAT”", "“The cat”"),
    ],
)
def test_capitals_are_lowered(text: str, expected: str) -> None:
    assert normalized_text(text) == expected
    assert PIECES.read(text) == PIECES.ids(expected)


@pytest.mark.parametrize(
    "text",
    [
        "The TV is on",
        "I am at the NATO, see?",
        "A cat",
        "",
        "I",
        "McCat",
        "A.B.C. and d",
        "at 5 AM",
    ],
)
def test_capitals_that_may_be_meant_stay(text: str) -> None:
    assert normalized_text(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the cat 😀", "the cat"),
        ("the 😀 cat 👩‍🚀👍🏽.", "the cat."),
        ("😀 the cat  sat😀on", "the cat  sat on"),
        ("the cat (😀) on 😀, I 😀 !", "the cat () on, I!"),
        ("Él niño", "El nino"),
        ("İİ is", "II is"),
        ("the ﬁre …", "the fire ..."),
        ("ｔｈｅ　ｃａｔ！", "the　cat!"),
        ("zero\u200bwidth so\u00adft", "zerowidth soft"),
        ("l'été e\u0301t\u0301", "l'été e\u0301t"),
        ("Привет cat", "cat"),
        ("“cat” – dog’s", "“cat” – dog’s"),
        ("日本語 話", "日本語 話"),
    ],
)
def test_unknown_characters_are_replaced_or_ignored(text: str, expected: str) -> None:
    assert normalized_text(text) == expected


def test_capitals_of_a_sharp_s() -> None:
    german = BytePieces.train(["Ich weiß, dass die Straße nass ist. "] * 9, 340)
    parts = german._normalizer.parts("ICH WEISS, DASS DIE STRASSE NASS IST")
    assert "".join(part or "" for part in parts) == "Ich weiß, dass die Straße nass ist"
    token = german.encode("ICH WEISS!").tokens[-3]
    assert "WEISS".endswith(token.text)


def test_of_a_script_with_many_characters_bytes_are_enough() -> None:
    taught = BytePieces.train(["日本語を話す。日旧早旦" * 3, "cat"] * 9, 300)
    rare = "旪"  # begins with the bytes of others
    assert rare not in taught._normalizer._characters.known
    assert taught._normalizer.parts(rare) == [rare]
    assert PIECES._normalizer.parts("ж") == [None]


def test_a_byte_tokenizer_knows_every_character() -> None:
    bytes_alone = BytePieces.characters()
    assert bytes_alone.read("é 😀") == bytes_alone.ids("é 😀")


@pytest.mark.parametrize("tokenizer", [PIECES, SPACED], ids=["plain", "spaced"])
def test_tokens_stand_where_they_were_typed(tokenizer: BytePieces) -> None:
    text = "😀 the  BIG cat… 👩‍👧 ﬁ"
    axis = tokenizer.encode(text)
    tokens = [token for token in axis.tokens if not token.special]
    assert all(token.text == text[token.start : token.end] for token in tokens)
    assert "".join(dict.fromkeys(token.text for token in tokens)).startswith("theBIG")
    unread = {place for place, _ in enumerate(axis.words)} - {token.word for token in axis.tokens}
    assert [axis.words[place].text for place in sorted(unread)] == ["😀", "👩‍👧"]
    assert tokenizer.text(tokenizer.read(text)[:-1]).startswith("the big cat...")


def test_output_text_is_not_normalized() -> None:
    text = "THE BIG ñ 😀"
    assert PIECES.written(PIECES.ids(text)).text == text
    assert [token.id for token in PIECES.encode(text, "mean").tokens] == PIECES.ids(text)


def test_no_text_takes_long_to_normalize() -> None:
    began = perf_counter()
    for text in ("!" * 300 + " A" * 150, "A" * 600, "Ж" * 600, "A'" * 300, "AB " * 200):
        PIECES.encode(text)
    quick = perf_counter() - began
    assert quick < 5
