from __future__ import annotations

import re
from pathlib import Path

import pytest

from heed.app.errors import StartError
from heed.app.main import create_app
from heed.app.settings import PREFIX, Settings, unknown_variables
from heed.models.catalogue import Catalogue

ROOT = Path(__file__).parents[2]


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEED_PORT", "9000")
    monkeypatch.setenv("HEED_MAX_BATCH", "64")
    settings = Settings.from_environment()
    assert (settings.port, settings.max_batch) == (9000, 64)
    assert Settings.from_environment(port=9001, host=None).port == 9001


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "eighty"),
        ("PORT", "70000"),
        ("QUEUE_SIZE", "0"),
        ("DEADLINE_SECONDS", "-1"),
        ("DEADLINE_SECONDS", "nan"),
        ("MAX_BATCH", "15"),
        ("MAX_BODY_BYTES", "1"),
        ("THREADS", "0"),
        ("LOG_LEVEL", "loud"),
        ("HOST", ""),
        ("KEEP_DAYS", "-1"),
        ("MAX_TRACE_BYTES", "10"),
        ("MAX_STORE_BYTES", "-1"),
    ],
)
def test_a_setting_out_of_bounds_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(PREFIX + name, value)
    with pytest.raises(StartError, match=rf"HEED_{name}={value} is invalid: .+\."):
        Settings.from_environment()


def test_the_store_is_in_the_data_folder_of_the_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("HEED_STORE")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert Settings.from_environment().store == Path("~/.local/share/heed")
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert Settings.from_environment().store == Path("/somewhere/heed")
    monkeypatch.setenv("XDG_DATA_HOME", "relative, and therefore ignored")
    assert Settings.from_environment().store == Path("~/.local/share/heed")


def test_every_invalid_setting_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEED_PORT", "x")
    monkeypatch.setenv("HEED_THREADS", "y")
    with pytest.raises(StartError, match=r"HEED_PORT.*HEED_THREADS"):
        Settings.from_environment()


def test_a_start_without_models_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="no folder"):
        create_app(Settings.from_environment(weights=tmp_path / "nowhere"))
    with pytest.raises(StartError, match="no models"):
        create_app(Settings.from_environment(weights=tmp_path))
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{")
    with pytest.raises(StartError, match=r"broken.config\.json"):
        create_app(Settings.from_environment(weights=tmp_path))


def test_a_start_with_an_unknown_model_is_refused() -> None:
    with pytest.raises(StartError, match=r"HEED_DEFAULT_MODEL=dates-dott.*dates-dot"):
        create_app(Settings.from_environment(default_model="dates-dott"))
    with pytest.raises(StartError, match=r"HEED_PRELOAD=dates-dot,x.*Available"):
        create_app(Settings.from_environment(preload="dates-dot,x"))


def test_preload_selects_models() -> None:
    def preloaded(preload: str) -> tuple[str, ...]:
        return create_app(Settings.from_environment(preload=preload)).state.service.preload

    assert preloaded("none") == ()
    assert preloaded("default") == ("dates-additive",)
    assert set(preloaded("all")) >= {"dates-additive", "dates-dot"}
    assert preloaded(" dates-dot, dates-additive,dates-dot") == ("dates-dot", "dates-additive")


def test_the_default_model_can_be_chosen() -> None:
    app = create_app(Settings.from_environment(default_model="dates-dot"))
    assert app.state.service.defaults["translate"] == "dates-dot"
    assert app.state.service.preload == ("dates-dot",)


def test_the_first_model_of_the_catalogue_is_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("HEED_DEFAULT_MODEL")
    first = next(card.id for card in Catalogue().cards.values() if not card.reads_pictures)
    assert create_app(Settings.from_environment()).state.service.defaults["translate"] == first


def test_a_misspelled_variable_is_reported() -> None:
    warnings = unknown_variables(["HEED_PROT", "HEED_PORT", "PATH", "HEED_"])
    assert warnings[1] == "HEED_PROT is not a setting and has no effect. Did you mean HEED_PORT?"
    assert len(warnings) == 2


def test_every_setting_is_documented_with_its_default() -> None:
    text = (ROOT / "docs" / "settings.md").read_text("utf-8")
    found = re.findall(r"^\| `HEED_([A-Z_]+)` \| (.+?) \| (.+) \|$", text, re.MULTILINE)
    rows = {name: (default, meaning) for name, default, meaning in found}
    assert set(rows) == {name.upper() for name in Settings.model_fields}
    for name, field in Settings.model_fields.items():
        unset = {
            "default_model": "the first",
            "threads": "all cores but one, both of two",
            "shared": "none",
        }
        shown = unset[name] if field.default is None else f"`{field.default}`"
        if name == "weights":
            shown = "`models/weights`"
        if name == "store":
            shown = "`~/.local/share/heed`"
        assert rows[name.upper()] == (shown, " ".join((field.description or "").split()))
