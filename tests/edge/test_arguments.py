"""Shuffle arguments that are named on the command line, and the example of one of one's own."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.test_house import ROOT
from tests.deal.helpers import CONTEXT, Party, chance, other_contexts, party, spoil_point
from tests.e2e.support import run
from tests.edge.support import mosquitto_or_skip
from tests.peer.test_ring import SHORT
from unop2p.deal.group import mul
from unop2p.deal.masking import encode_cards, open_card
from unop2p.deal.shuffle import ShuffleArgument
from unop2p.edge.arguments import DealError, load_argument
from unop2p.errors import MalformedError, ProofError
from unop2p.sim.ring import Ring
from unop2p.sim.toy import in_toy_group
from unop2p.table.work import ARGUMENTS
from unop2p.wire.audit import Finding, audit

EXAMPLE = "examples.cut_and_choose:CutAndChoose"
NAME = "cut-and-choose"


@pytest.fixture(autouse=True)
def known_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let each test begin with the arguments of the game, in the repository's folder."""
    monkeypatch.chdir(ROOT)
    before = dict(ARGUMENTS)
    yield
    ARGUMENTS.clear()
    ARGUMENTS.update(before)


@pytest.fixture
def toy() -> Iterator[None]:
    with in_toy_group():
        yield


def example(decks: int = 100, from_outputs: int = 28) -> tuple[ShuffleArgument, Party]:
    load_argument(EXAMPLE)
    return type(ARGUMENTS[NAME])(decks, from_outputs), party()  # type: ignore[call-arg]


def test_known_arguments_are_themselves() -> None:
    assert load_argument("proved") == "proved"
    assert load_argument("commit-reveal") == "commit-reveal"


def test_a_class_is_found_from_the_current_folder_and_known_from_then_on() -> None:
    assert load_argument(EXAMPLE) == NAME
    assert load_argument(EXAMPLE) == NAME
    assert load_argument(NAME) == NAME
    assert ARGUMENTS[NAME].name == NAME


CLASSES = """
class NoName:
    def shuffle(self, *_): ...
    def verify(self, *_): ...

class OddName(NoName):
    name = "two words"

class TakenName(NoName):
    name = "proved"

class NoVerify:
    name = "no-verify"
    def shuffle(self, *_): ...

class WantsMore(NoName):
    name = "wants-more"
    def __init__(self, more): ...

class Fails(NoName):
    name = "fails"
    def shuffle(self, *_):
        raise ValueError("out of cards")

class ReturnsNothing(NoName):
    name = "returns-nothing"
    def shuffle(self, context, joint, cards, entropy):
        return b"", b""

class RaisesWhenMade(NoName):
    name = "raises"
    def __init__(self): raise ValueError("not today")

class NameRaises(NoName):
    @property
    def name(self): raise RuntimeError("no")

class NameIsANumber(NoName):
    name = 7

class Goes(NoName):
    name = "goes"
    def shuffle(self, *_): raise SystemExit(3)

number = 3
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nonsense", "no way to deal"),
        ("nonsense:", "no way to deal"),
        (":Class", "no way to deal"),
        ("there.is.no:Class", "cannot be imported"),
        ("own:Missing", "no class `Missing`"),
        ("own:number", "no class `number`"),
        ("own:NoName", "no `name`"),
        ("own:OddName", "no `name`"),
        ("own:TakenName", "calls itself `proved`"),
        ("own:RaisesWhenMade", "ValueError, not today"),
        ("own:NameRaises", "no `name`"),
        ("own:NameIsANumber", "no `name`"),
        ("own:Goes", "fails at 4 cards: SystemExit, 3"),
        ("own:NoVerify", "methods `shuffle` and `verify`"),
        ("own:WantsMore", "without arguments"),
        ("own:Fails", "fails at 4 cards: ValueError, out of cards"),
        ("own:ReturnsNothing", "does not return the cards as"),
        ("\x1b[31m:x\x00", "cannot be imported"),
    ],
)
def test_what_is_no_argument_is_said_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    (tmp_path / "own.py").write_text(CLASSES)
    monkeypatch.chdir(tmp_path)
    before = dict(ARGUMENTS)
    with pytest.raises(DealError) as caught:
        load_argument(text)
    assert said in caught.value.sentence()
    assert caught.value.sentence().isprintable()
    assert before == ARGUMENTS


@pytest.mark.parametrize(
    "code", [b"def (", b"1/0", b"raise OSError('no')", b"import sys; sys.exit(3)", b"\xff\x00"]
)
def test_a_module_that_cannot_be_imported_is_a_sentence_whatever_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: bytes
) -> None:
    name = f"own_{code.hex()}"
    (tmp_path / f"{name}.py").write_bytes(code)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DealError, match="cannot be imported"):
        load_argument(f"{name}:Class")


# -- the example -------------------------------------------------------------------------------


def test_the_example_is_short_enough_to_be_read() -> None:
    lines = (ROOT / "examples" / "cut_and_choose.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 150


def test_example_shuffles_and_its_proof_holds_where_it_was_made_alone() -> None:
    argument, table = example(12, 4)
    outputs, proof = argument.shuffle(CONTEXT, table.joint, table.cards, chance("own"))
    cards = argument.verify(CONTEXT, table.joint, table.cards, outputs, proof)
    labels = [
        table.faces.find(open_card(card, [mul(k.secret.expose(), card.c1) for k in table.keys]))
        for card in cards
    ]
    assert sorted(map(str, labels)) == sorted(table.labels)
    for context in other_contexts():
        with pytest.raises(ProofError):
            argument.verify(context, table.joint, table.cards, outputs, proof)


@pytest.mark.usefixtures("toy")
def test_example_refuses_every_changed_output_and_byte_of_the_proof() -> None:
    argument, table = example(12, 4)
    outputs, proof = argument.shuffle(CONTEXT, table.joint, table.cards, chance("own"))
    for index in range(2 * len(table.cards)):
        with pytest.raises(ProofError):
            argument.verify(CONTEXT, table.joint, table.cards, spoil_point(outputs, index), proof)
    for place in range(len(proof)):
        changed = proof[:place] + bytes([proof[place] ^ 1]) + proof[place + 1 :]
        with pytest.raises((ProofError, MalformedError)):
            argument.verify(CONTEXT, table.joint, table.cards, outputs, changed)
    for length in (0, 31, 32, len(proof) - 1):
        with pytest.raises((ProofError, MalformedError)):
            argument.verify(CONTEXT, table.joint, table.cards, outputs, proof[:length])
    with pytest.raises(ProofError, match="leaves a card"):
        argument.verify(CONTEXT, table.joint, table.cards, encode_cards(table.cards), proof)


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_a_round_is_dealt_with_the_example_and_its_record_is_complete() -> None:
    example()
    ring = Ring(3, SHORT, seed=4, argument=NAME)
    ring.run()
    assert len(ring.heads()) == 1
    assert all(place.stop is not None and place.stop.exit_code == 0 for place in ring.places)
    assert audit(ring.places[0].record).finding is Finding.COMPLETE


@pytest.mark.slow
@pytest.mark.broker
def test_the_program_deals_a_match_with_the_example_and_audits_it(tmp_path: Path) -> None:
    mosquitto_or_skip()
    record = tmp_path / "match.jsonl"
    words = ("--bots", "2", "--rounds", "1", "--json", "--embedded", "mosquitto")
    done = run(
        tmp_path / "home", "match", *words, "--deal", EXAMPLE, "--record", str(record), timeout=150
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rounds"] == 1
    alone = run(tmp_path / "home", "audit", str(record))
    assert alone.returncode == 23
    assert "shuffle argument that this program does not have" in alone.stderr
    known = run(tmp_path / "home", "audit", str(record), "--deal", EXAMPLE, timeout=150)
    assert known.returncode == 40, known.stdout


@pytest.mark.parametrize("text", ["../x:Y", ".x:Y", "..:Y"])
def test_a_module_named_from_nowhere_is_refused(text: str) -> None:
    with pytest.raises(DealError):
        load_argument(text)
