"""What a bot's program is told, and what it may say."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bots import message_page
from tests.bots.support import any_options, decisions, position
from unop2p.bots.messages import (
    Answer,
    Fault,
    ProgramError,
    act_line,
    bye_line,
    chosen,
    hello_line,
    move_dict,
    read_answer,
    read_move,
    read_ready,
)
from unop2p.ids import Seat
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Catch, Play
from unop2p.rules.options import PRESETS, options_from_dict

JSON: st.SearchStrategy[object] = st.sampled_from(
    (None, True, -1, 0, 1.5, 10**30, "", "\x1b[2J", "x" * 99, [], [0], {})
)
SHAPED = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(("move", "failed", "ready", "act")) | JSON,
        "id": st.integers() | JSON,
        "index": st.integers(-3, 40) | JSON,
        "move": st.sampled_from(("draw", "play R1", "pass", "catch 9", "play 7 7 7")) | JSON,
        "protocol": st.integers(0, 2) | JSON,
        "name": JSON,
        "error": JSON,
    },
)


def test_every_message_is_one_line_of_json() -> None:
    view = position("R1 G2", top="R5").view(Seat(0))
    for line in (
        hello_line(PRESETS["romanian"], 1000),
        act_line(7, view, view.legal(), 5),
        bye_line(),
    ):
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        assert isinstance(json.loads(line), dict)


def test_hello_tells_every_rule() -> None:
    for rules in PRESETS.values():
        hello = json.loads(hello_line(rules, 1000))
        assert options_from_dict(hello["rules"]) == rules
        assert hello["protocol"] == 1


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_every_lawful_move_is_told_and_understood(seed: int) -> None:
    rng = Random(seed)
    for _, view, legal in decisions(any_options(rng), 4, rng, 40):
        told = json.loads(act_line(1, view, legal, 1))
        assert told["may_pass"] == isinstance(view.round.due, ReactionDue)
        for index, (move, item) in enumerate(zip(legal, told["legal"], strict=True)):
            assert read_move(item["move"]) == move
            assert chosen(Answer(id=1, index=index), view, legal) == move
            assert chosen(Answer(id=1, text=item["move"]), view, legal) == move


def test_the_parts_of_a_move_stand_beside_its_text() -> None:
    view = position("W G2 G3", top="R5").view(Seat(0))
    wild = next(m for m in view.legal() if isinstance(m, Play) and m.color is not None)
    told = move_dict(wild)
    assert (told["do"], told["cards"], told["color"]) == ("play", ["W"], wild.color)
    assert move_dict(Catch(seat=Seat(2))) == {"move": "catch 2", "do": "catch", "seat": 2}


@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=60) | SHAPED.map(json.dumps).map(str.encode))
def test_whatever_is_said_is_understood_or_refused_in_one_sentence(data: bytes) -> None:
    view = position("R1 G2", top="R5").view(Seat(0))
    legal = view.legal()
    for read in (read_ready, read_answer):
        try:
            found = read(data)
            if isinstance(found, Answer):
                assert chosen(found, view, legal) in legal
        except ProgramError as error:
            sentence = error.sentence()
            assert sentence.isprintable()
            assert len(sentence) < 400


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b'{"type":"move","id":1,"index":99}', Fault.UNLAWFUL),
        (b'{"type":"move","id":1,"index":-1}', Fault.UNLAWFUL),
        (b'{"type":"move","id":1,"index":null}', Fault.UNLAWFUL),
        (b'{"type":"move","id":1,"move":"play B9"}', Fault.UNLAWFUL),
        (b'{"type":"move","id":1,"move":"surrender"}', Fault.UNLAWFUL),
        (b'{"type":"failed","id":1}', Fault.FAILED),
        (b'{"type":"move","id":1}', Fault.GARBAGE),
        (b'{"type":"move","id":true,"index":0}', Fault.GARBAGE),
        (b'{"type":"move","id":1,"index":true}', Fault.GARBAGE),
        (b'{"type":"move","id":1,"index":0,"move":"draw"}', Fault.GARBAGE),
        (b"[" * 100_000, Fault.GARBAGE),
        (b"\xff\xfe", Fault.GARBAGE),
        (b"", Fault.GARBAGE),
        (b"9" * 5000, Fault.GARBAGE),
    ],
)
def test_wrong_answers_have_their_faults(line: bytes, fault: Fault) -> None:
    view = position("R1 G2", top="R5").view(Seat(0))
    with pytest.raises(ProgramError) as caught:
        chosen(read_answer(line), view, view.legal())
    assert caught.value.fault is fault


@pytest.mark.parametrize("protocol", [0, 2, "1", None, True, [1]])
def test_another_protocol_is_refused(protocol: object) -> None:
    with pytest.raises(ProgramError, match="It speaks protocol"):
        read_ready(json.dumps({"type": "ready", "protocol": protocol}).encode())
    assert read_ready(b'{"type":"ready","protocol":1,"name":"me\\u001b"}').name == "me?"


def test_the_reference_shows_every_message_as_it_is() -> None:
    text = message_page.PAGE.read_text("utf-8")
    assert set(message_page.MESSAGE.findall(text)) == set(message_page.examples())
    assert message_page.page(text) == text, "write it anew: python -m tests.bots.message_page"
