"""`arbitr record` and `arbitr verify`."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from service.cli import main
from tests.records import kept

TWO = next(path for path in kept("zavandor") if path.stem == "two")


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main([*arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture
def record() -> Any:
    return json.loads(TWO.read_text(encoding="utf-8"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "record.json"


def test_what_record_plays_verify_finds_right(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    arguments = ("--seed", "9", "--seats", "eve,fay", "--players", "random", "--set", "length=short")
    code, text, _ = ran(capsys, "record", "simurgh", *arguments, "--set", "variant=dragonlord")
    assert code == 0
    record = json.loads(text)
    assert [seat["id"] for seat in record["setup"]["seats"]] == ["eve", "fay"]
    assert record["setup"]["options"] == {"length": "short", "variant": "dragonlord"}
    file.write_text(text, encoding="utf-8")
    code, said, _ = ran(capsys, "verify", str(file))
    assert code == 0
    assert said.splitlines()[0] == f"valid: simurgh 1.0, digest {record['digest']}"
    assert said.splitlines()[-1] == "draws: match"
    again = ran(capsys, "record", "simurgh", *arguments, "--set", "variant=dragonlord")[1]
    assert again == text


def test_a_wish_of_a_seat_and_a_flag_are_set(capsys: pytest.CaptureFixture[str]) -> None:
    wishes = ("--set", "ann.character=elf", "--set", "mirror_cloak_hits_owner=true")
    text = ran(capsys, "record", "zavandor", "--seats", "ann,bob", "--players", "random", *wishes)[1]
    setup = json.loads(text)["setup"]
    assert setup["seats"][0] == {"id": "ann", "character": "elf"}
    assert setup["options"] == {"mirror_cloak_hits_owner": True}


def test_a_record_is_completed(capsys: pytest.CaptureFixture[str], file: Path, record: Any) -> None:
    bare = {name: value for name, value in record.items() if name not in ("odds", "digest", "complete")}
    file.write_text(json.dumps({"record": bare}), encoding="utf-8")
    code, text, _ = ran(capsys, "record", "--of", str(file))
    assert code == 0
    assert json.loads(text) == {name: value for name, value in record.items() if name != "complete"}


def test_verify_says_what_is_wrong_in_a_language(
    capsys: pytest.CaptureFixture[str], file: Path, record: Any
) -> None:
    at = next(n for n, action in enumerate(record["actions"]) if action["actor"] != "chance")
    record["actions"][at]["actor"] = {"ann": "bob", "bob": "ann"}[record["actions"][at]["actor"]]
    file.write_text(json.dumps(record), encoding="utf-8")
    told = {spoken: ran(capsys, "verify", str(file), "--language", spoken) for spoken in ("en", "cs")}
    assert told["en"][0] == told["cs"][0] == 1
    assert told["en"][1].startswith(f"invalid: Action {at} ")
    assert "[ZAV-ACT-1]" in told["en"][1]
    assert told["en"][1].splitlines()[1] != told["cs"][1].splitlines()[1]


def test_verify_tells_draws_that_differ(capsys: pytest.CaptureFixture[str], file: Path, record: Any) -> None:
    first = next(action for action in record["actions"] if action["actor"] == "chance")
    first["draw"] = 7
    file.write_text(json.dumps(record), encoding="utf-8")
    code, said, _ = ran(capsys, "verify", str(file))
    assert code == 1
    assert said.startswith("valid: ")
    assert "draws: differ: The draws are not numbered one after the other, or some" in said
    assert said.endswith("(0)\n")


def test_where_nobody_can_say_verify_is_content_unless_it_is_to_be_strict(
    capsys: pytest.CaptureFixture[str], file: Path, record: Any
) -> None:
    file.write_text(json.dumps(record), encoding="utf-8")
    assert ran(capsys, "verify", "--strict", str(file))[0] == 0
    del record["chance"]["key_id"]
    file.write_text(json.dumps(record), encoding="utf-8")
    code, said, _ = ran(capsys, "verify", str(file))
    assert (code, said.splitlines()[-1]) == (0, "draws: unknown")
    assert ran(capsys, "verify", "--strict", str(file)) == (1, said, "")


def test_verify_points_into_a_log_that_no_session_writes(
    capsys: pytest.CaptureFixture[str], file: Path, record: Any
) -> None:
    record["log"] = [{"version": 1, "kind": "open", "by": {"role": "king"}, "actions": []}]
    file.write_text(json.dumps(record), encoding="utf-8")
    code, said, _ = ran(capsys, "verify", str(file))
    assert code == 1
    assert said.endswith(" (/log/0/by)\n")


def test_it_reads_the_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(TWO.read_text(encoding="utf-8")))
    assert ran(capsys, "verify", "-")[0] == 0


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"game": "chess"}, "no game is called chess"),
        ({"ruleset": "9.9"}, "there is no zavandor 9.9; there is: 1.0"),
        ({"ruleset": 1}, "names its game and its ruleset"),
        ({"actions": [{"kind": "dance"}]}, "/record/actions/0/kind"),
        ({"setup": {"seats": [{"id": "ann"}, {"id": "ann"}]}}, "the set-up: "),
        ({"complete": False}, "/record/complete"),
    ],
)
def test_what_is_no_record_is_one_line(
    capsys: pytest.CaptureFixture[str], file: Path, record: Any, change: Any, told: str
) -> None:
    file.write_text(json.dumps({**record, **change}), encoding="utf-8")
    code, out, said = ran(capsys, "verify", str(file))
    assert (code, out, len(said.splitlines())) == (2, "", 1)
    assert told in said


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"a": 1, "a": 2}',
        "[" * 100_000,
        '{"record": 1}',
        '{"record": NaN}',
        '{"a": "\\ud800"}',
    ],
)
def test_nor_is_what_is_no_json(capsys: pytest.CaptureFixture[str], file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    code, out, said = ran(capsys, "verify", str(file))
    assert (code, out, len(said.splitlines())) == (2, "", 1)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chess",), "no game is called chess"),
        (("zavandor", "--seats", "ann"), "the set-up: /seats"),
        (("simurgh", "--seats", "ann,ann,bob"), "--seats ann,ann,bob: a name stands twice"),
        (("zavandor", "--seats", "ann,ann"), "--seats ann,ann: a name stands twice"),
        (("zavandor", "--set", "hats=1"), "--set hats=1"),
        (("zavandor", "--set", "zoe.character=elf"), "--set zoe.character=elf"),
        (("zavandor", "--set", "ann.character=clown"), "/seats/0/character"),
        (("--of", "nowhere.json"), "nowhere.json"),
    ],
)
def test_wrong_usage_of_record_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    code, out, said = ran(capsys, "record", *arguments)
    assert (code, out, len(said.splitlines())) == (2, "", 1)
    assert told in said


def test_what_is_not_legal_is_not_completed(
    capsys: pytest.CaptureFixture[str], file: Path, record: Any
) -> None:
    record["actions"] = record["actions"][::-1]
    file.write_text(json.dumps(record), encoding="utf-8")
    code, out, said = ran(capsys, "record", "--of", str(file))
    assert (code, out) == (2, "")
    assert "Action 0 " in said


@pytest.mark.parametrize("arguments", [("record",), ("record", "zavandor", "--of", "x"), ("verify",)])
def test_arguments_that_do_not_go_together_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit):
        main([*arguments])
    capsys.readouterr()
