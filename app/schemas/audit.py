"""Audits: what a map of attention is worth on one example."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from heed.app.schemas.base import Absent, Count, Few, Many, Name, Number, RequestModel, Text, Wire
from heed.app.schemas.requests import MOST_LAYERS, MOST_STEPS, SearchIn
from heed.app.schemas.trace import TraceOut
from heed.models.audit.choices import MOST_SEEDS, FigureName, Unit

MOST_OTHER = 1_000  # characters of a word
CellOrder = Literal["attention", "effects", "centre", "another photo", "random"]
Place = Annotated[int | None, Field(ge=0, le=MOST_LAYERS)]


class AuditIn(RequestModel):
    """Options of every audit: whose attention, and how a key is taken away."""

    model: Name | None = None
    """Id of a model of `GET /api/v1/models`. Default: the default model of the server."""
    search: SearchIn = SearchIn()
    """Decoding. Ignored if a `target` is given."""
    target: Text | None = None
    """The output that the model is forced to write; by default, what it writes by itself."""
    removal: Literal["block", "silence"] = "block"
    """`block`: a key gets no weight, and the others share it. `silence`: it keeps its weight, but
    its value counts nothing."""
    layer: Place = None
    """The layer whose attention is audited, from 0; by default all of them."""
    head: Place = None
    """The head whose attention is audited, from 0; by default all of them."""
    row: Annotated[int | None, Field(ge=0, le=MOST_STEPS)] = None
    """The row of the output whose orders of keys are bounded, from 0; by default that of the
    largest effect."""
    seeds: Annotated[int, Field(ge=1, le=MOST_SEEDS)] = 20
    """Number of random sets, orders and permutations behind each baseline."""
    figure: FigureName = "audit"
    """`audit`: the figures that are shown first. `contrast`: the row's word against `other`.
    `rewritten`: the outputs without each word. `orders`: the bounds of the row's orders, by beam
    search beyond 12 keys. `curves`: deletion and insertion over a photo, for the row's word."""
    other: Annotated[Text | None, Field(max_length=MOST_OTHER)] = None
    """The word that a contrast compares with the one in its row."""
    unit: Unit = "edge"
    """Before an output is rewritten, `edge` takes the key from every row, and `word` leaves the
    word out of the input."""


class TranslateAuditIn(AuditIn):
    """A text whose translation is audited."""

    text: Text
    """The input of the model."""


class CaptionAuditIn(AuditIn):
    """Options for auditing a caption. The picture is the field `image` of the form."""


class AskAuditIn(CaptionAuditIn):
    """A question about a picture whose answer is audited: its attention to the cells."""

    question: Text
    """The question."""


class BandOut(Wire):
    """A figure over several seeds: its mean, and the range of the middle 95 %."""

    mean: Number | None
    low: Number | None
    high: Number | None


class AuditChoicesOut(Wire):
    """The choices of an audit; `null` for a layer or a head means all of them."""

    unit: Unit
    removal: Literal["block", "silence"]
    layer: Count | None
    head: Count | None
    row: Count | None
    seeds: Count


class ControlsOut(Wire):
    """The strongest keys of each row taken together, beside as many at random."""

    keys: Count
    cost: Many[Number | None]
    random: Many[Many[Number | None]]
    """A row for each seed."""


class DistancesOut(Wire):
    """The total variation distance by which the next word's distribution moves.

    It proves little alone: other weights may say the same.
    """

    uniform: Many[Number | None]
    permuted: Many[Many[Number | None]]
    """A row for each seed."""


class LeftOutOut(Wire):
    """The cost of leaving each word out of the input; of a picture, of a cell in every row."""

    words: Many[Count]
    """Indices of words of the `source`, or of its cells."""
    cost: Many[Many[Number | None]]
    attention: Many[Many[Number | None]]
    """The attention to each word, summed over its tokens."""
    strongest: Many[Count]
    """The place in `words` of the word that each row attends to most."""
    taken: Many[Number | None]
    """The cost of taking that word from its row alone."""


class AgreementOut(Wire):
    """Agreement with the effects: Kendall's τ_b, and the share of rows with the same first key."""

    tau: Number | None
    first: Number | None
    taus: Many[Number | None]
    """τ_b of each row."""


class AgreementsOut(Wire):
    """Agreement of the attention, and of maps that know nothing, with the effects."""

    attention: AgreementOut
    place: AgreementOut
    """Of the diagonal, or of the centre of a picture."""
    random_tau: BandOut
    random_first: Number | None
    left_out: Absent[AgreementOut] = None
    """Of the attention to words, with the cost of leaving them out."""
    weighted: Absent[AgreementOut] = None
    """Of the attention weighted by value."""
    zeroed: Absent[AgreementOut] = None
    """Of the map of value zeroing."""


class KeyOrderOut(Wire):
    """An order of keys between the worst (0) and the best (1) of this row."""

    comprehensiveness: Number | None
    sufficiency: Number | None
    taken: Many[Number | None]
    """The log-probability with 0, 1, … keys taken away."""
    left: Many[Number | None]
    """The log-probability with 1, 2, … keys left."""


class OrdersOut(Wire):
    """The orders of one row, from every set of its keys (NAOPC, Edin et al. 2024)."""

    row: Count
    keys: Many[Count]
    """The columns that are ordered."""
    sets: Count
    least: Number | None
    greatest: Number | None
    best: Many[Count]
    """Places in `keys`: the order that takes away first what costs most."""
    worst: Many[Count]
    attention: KeyOrderOut
    effects: KeyOrderOut
    random: Absent[Annotated[list[BandOut], Field(min_length=2, max_length=2)]] = None
    """Comprehensiveness and sufficiency of random orders."""


class ComparedMapOut(Wire):
    """The map of another network that is forced to write the same output."""

    attention: Many[Many[Number | None]]
    distances: Many[Number | None]
    """The Jensen–Shannon divergence of each row from the map that is audited, in bits: 0 to 1."""
    strongest: Many[Count]
    """Index of the word of the `source` with the largest weight, of each row."""


class OtherTrainingOut(ComparedMapOut):
    """The same network with its attention trained anew."""

    seed: Count


class OtherMechanismOut(ComparedMapOut):
    """A model of another mechanism: the baseline."""

    model: Name


class TrainingsOut(Wire):
    """The maps of other trainings of the attention; the rest of the network is the same."""

    strongest: Many[Count]
    """Of the map that is audited."""
    agreeing: Many[bool]
    """The rows in which all trainings look at the same word."""
    others: Few[OtherTrainingOut]
    mechanism: Absent[OtherMechanismOut] = None


class FigureOut(Wire):
    """The run behind a figure, and its choices."""

    model_config = ConfigDict(serialize_by_alias=True)

    trace: TraceOut
    """The run that is audited, in the detail `weights`."""
    choices: AuditChoicesOut
    words: Few[Text]
    """The four choices as sentences."""
    verdict: Few[Text]
    """The summary of the figures, in sentences."""
    noun: Literal["word", "piece", "cell"]
    """The noun of a key."""
    rows: Count
    """Forced steps of the model that were run."""
    version: Text
    """The version of Heed."""


class AuditOut(FigureOut):
    """The figures of one output, each beside its baseline.

    Costs are differences of natural logarithms: log p(y) - log p(y, key taken away). `null` means
    that there is none.
    """

    schema_: Annotated[Literal["heed.audit/1"], Field(alias="schema")]
    log_probabilities: Many[Number | None]
    attention: Many[Many[Number | None]]
    """The mean weights of the heads that are audited."""
    costs: Many[Many[Number | None]]
    """The cost of taking each key from its row: a map in the axes of `attention`."""
    given_back: Absent[Many[Many[Number | None]]] = None
    """The gain of giving each key its weight back in a uniform row."""
    weighted: Absent[Many[Many[Number | None]]] = None
    """The norm of what each key adds to the output of a layer, ‖Σ α W v‖ (Kobayashi et al. 2020);
    of several layers the mean."""
    zeroed: Absent[Many[Many[Number | None]]] = None
    """The cosine distance by which the logits of a row move if the value of a key counts nothing
    (Mohebbi et al. 2023). Of pictures only with `silence`."""
    controls: ControlsOut
    distances: DistancesOut
    left_out: Absent[LeftOutOut] = None
    agreement: AgreementsOut
    orders: Absent[OrdersOut] = None
    """Only for a row of at most 12 keys."""
    trainings: Absent[TrainingsOut] = None
    """Only of models that have other trainings."""


class ContrastOut(FigureOut):
    """The contrast of two words at one place of the output, in natural logarithms."""

    schema_: Annotated[Literal["heed.audit.contrast/1"], Field(alias="schema")]
    word: Text
    """The word that was written."""
    other: Text
    row: Count
    """The first row of the word."""
    parts_at: Count
    """The first row whose piece differs. Before it the contrast is 0."""
    log_probabilities: Annotated[list[Number | None], Field(min_length=2, max_length=2)]
    """Of the word and of the other, after the same words."""
    attention: Many[Number | None]
    """The mean of the word's rows."""
    costs: Many[Many[Number | None]]
    """The effect of each key on log p of the word, less that on log p of the other: a row for each
    piece up to the end of the longer one."""
    total: Many[Number | None]
    """The contrast of each key, summed over the rows."""


class RewritingOut(Wire):
    """The output without one word, or without one cell."""

    word: Count
    """Index of a word of the `source`, or of its cells."""
    text: Text
    changed: Count
    """Words that are inserted, removed or replaced."""


class RewrittenOut(FigureOut):
    """The outputs that the model writes without each word."""

    schema_: Annotated[Literal["heed.audit.rewritten/1"], Field(alias="schema")]
    text: Text
    """The output with all words, by the same search."""
    of: Count
    """Words of that output."""
    kept: Count
    """Outputs that stay as they are."""
    outputs: Many[RewritingOut]


class SearchedOrdersOut(FigureOut):
    """The orders of one row of any number of keys."""

    schema_: Annotated[Literal["heed.audit.orders/1"], Field(alias="schema")]
    orders: OrdersOut
    exact: bool
    """False if the bounds are an estimate: the best and the worst order may lie further apart."""
    beam: Count | None
    """Chains that the search kept."""


class CurveOut(Wire):
    """The log-probability of a word, in one way and one order, at each of the fractions."""

    way: Literal["keys", "blur", "mean"]
    """Cells are removed as keys, blurred, or painted with the mean colour of the photo."""
    order: CellOrder
    deletion: Many[Number | None]
    insertion: Many[Number | None]


class AreaOut(Wire):
    """The areas below the curves of probability of one order."""

    order: CellOrder
    deletion: Number | None
    insertion: Number | None


class AreasOut(Wire):
    """The areas of one way, beside those of random orders."""

    way: Literal["keys", "blur", "mean"]
    orders: Few[AreaOut]
    random_deletion: BandOut
    random_insertion: BandOut


class CurvesSoFarOut(Wire):
    """The curves that are complete."""

    word: Text
    row: Count
    """The first row of the word."""
    another: Text
    """The photo whose order is a baseline."""
    fractions: Many[Number | None]
    """Of the cells, removed or shown."""
    curves: Few[CurveOut]
    areas: Few[AreasOut]
    """Of the ways whose curves are complete."""


class CurvesOut(FigureOut, CurvesSoFarOut):
    """Deletion and insertion of the cells of a photo (RISE, Petsiuk et al. 2018)."""

    schema_: Annotated[Literal["heed.audit.curves/1"], Field(alias="schema")]


AnyFigureOut = AuditOut | ContrastOut | RewrittenOut | SearchedOrdersOut | CurvesOut


class AuditProgress(Wire):
    """An event of a stream: the forced steps that were run so far, of those that are expected."""

    rows: Count
    of: Count
    part: Absent[CurvesSoFarOut] = None
    """The curves that are complete, of the figure `curves`."""
