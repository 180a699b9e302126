"""Programs that vanish in the middle of a round, for good or for a while: the others play on."""

import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.support import Watch, audit, end, start
from tests.e2e.test_kill import ticket_in
from tests.edge.support import free_port, mosquitto
from unop2p.repl.replay import read_replay
from unop2p.rules.cards import Face
from unop2p.table import notices

pytestmark = [pytest.mark.slow, pytest.mark.broker, pytest.mark.timeout(300)]

SEATS = 4
VICTIM = 2
PATIENCE_S = 3
LIMIT_S = 240


class Table:
    """Four programs with homes of their own, at one table."""

    def __init__(
        self, folder: Path, port: int, to: int, *, resilience: int = 0, pace: str = "fast"
    ) -> None:
        """Note where; whoever wins `to` rounds wins the match."""
        self.folder, self.port, self.to = folder, port, to
        self.resilience, self.pace = resilience, pace
        self.running: dict[int, subprocess.Popen[bytes]] = {}
        self.settled: dict[int, bytes] = {}
        """By seat, its record as it was when it was last killed or stopped."""

    def screen(self, seat: int) -> Path:
        return self.folder / f"screen-{seat}.txt"

    def record(self, seat: int) -> Path:
        return self.folder / f"record-{seat}.jsonl"

    def sit(self, seat: int) -> None:
        words = ["--record", str(self.record(seat)), "--name", f"seat{seat}", "--pace", self.pace]
        if seat == 0:
            words = ["host", "--seats", str(SEATS), "--bot", "greedy", *words]
            words += ["--set", "match_end=rounds", "--to", str(self.to)]
            words += ["--broker", f"mqtt://127.0.0.1:{self.port}", "--patience", str(PATIENCE_S)]
            words += ["--resilience", str(self.resilience)]
        else:
            words = ["bot", ticket_in(self.screen(0)), *words]
        with self.screen(seat).open("ab") as out:
            self.running[seat] = start(self.folder / f"home-{seat}", *words, out=out)

    def steps(self, seat: int) -> int:
        """Return how many steps a seat has recorded."""
        path = self.record(seat)
        return path.read_bytes().count(b"\n") - 1 if path.exists() else 0

    def wait_for_steps(self, seat: int, steps: int) -> None:
        self.wait(lambda: self.steps(seat) >= steps)

    def wait(self, until: object) -> None:
        assert callable(until)
        deadline = time.monotonic() + LIMIT_S
        while not until():
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.02)

    def said(self) -> list[str]:
        return [path.read_text()[-1200:] for path in sorted(self.folder.glob("screen-*"))]

    def note(self, seat: int) -> None:
        """Keep what is settled for a seat now, and see that nothing has gone since the last time."""
        data = self.record(seat).read_bytes() if self.record(seat).exists() else b""
        assert data.startswith(self.settled.get(seat, b""))
        self.settled[seat] = data[: data.rfind(b"\n") + 1]

    def play_out(self, *seats: int) -> None:
        """Let the match end, however long it takes while steps are settled."""
        watch = Watch([self.record(seat) for seat in seats])
        while any(self.running[seat].poll() is None for seat in seats):
            assert watch.going_on(), self.said()
            time.sleep(0.02)
        assert [self.running[seat].returncode for seat in seats] == [0] * len(seats), self.said()

    def check_records(self, *seats: int) -> None:
        found = [audit(self.folder / f"home-{seat}", self.record(seat)) for seat in seats]
        assert {report["finding"] for report in found} == {"complete"}, found
        assert all(not report["author"] for report in found), found
        assert not any("expelled" in text for text in self.said()), self.said()
        for seat in seats:
            self.note(seat)
        assert len({report["head"] for report in found}) == 1

    def told(self, seat: int) -> list[notices.Notice]:
        """Return what a seat's record tells, in order."""
        with self.record(seat).open("rb") as lines:
            replay = read_replay(lines)
        assert not replay.wrong
        return [notice for frame in replay.frames for notice in frame.told]


@contextmanager
def table(folder: Path, to: int, *, resilience: int = 0, pace: str = "fast") -> Iterator[Table]:
    """Begin a table of four, and let it play until some moves are made."""
    port = free_port()
    with mosquitto(folder, "allow_anonymous true", port):
        made = Table(folder, port, to, resilience=resilience, pace=pace)
        try:
            for seat in range(SEATS):
                made.sit(seat)
            made.wait_for_steps(0, 12)
            yield made
        finally:
            end(*made.running.values())


@pytest.mark.soak
def test_a_program_that_is_killed_and_never_comes_back_stops_nobody(tmp_path: Path) -> None:
    with table(tmp_path, to=1) as made:
        end(made.running[VICTIM])
        began, steps = time.monotonic(), made.steps(0)
        made.wait_for_steps(0, steps + 4)
        assert time.monotonic() - began < PATIENCE_S + 20
        made.play_out(0, 1, 3)
        made.check_records(0, 1, 3)
    assert re.search(r"seat2 is away", made.screen(0).read_text())


def test_a_program_that_is_killed_comes_back_after_it_was_left_out_and_plays_on(
    tmp_path: Path,
) -> None:
    with table(tmp_path, to=2) as made:
        end(made.running[VICTIM])
        steps = made.steps(0)
        made.wait_for_steps(0, steps + 8)
        made.sit(VICTIM)
        made.wait(lambda: "seat2 is back" in made.screen(0).read_text())
        made.play_out(*range(SEATS))
        made.check_records(*range(SEATS))


@pytest.mark.soak
def test_a_program_that_sleeps_for_longer_than_patience_wakes_up_and_plays_on(
    tmp_path: Path,
) -> None:
    with table(tmp_path, to=2) as made:
        made.running[VICTIM].send_signal(signal.SIGSTOP)
        steps = made.steps(0)
        made.wait_for_steps(0, steps + 8)
        made.running[VICTIM].send_signal(signal.SIGCONT)
        made.wait(lambda: "seat2 is back" in made.screen(0).read_text())
        made.play_out(*range(SEATS))
        made.check_records(*range(SEATS))


# -- where others stand in ---------------------------------------------------------------------


def worth(face: Face) -> int:
    """Return what a card counts, as the rule sheet says: its number, 20 for an action, 50 for a Wild.

    A Wild that shuffles hands and a blank one count 40.
    """
    if face.startswith("W"):
        return 50 if face in {"W", "W4"} else 40
    return int(face[1]) if face[1:].isdigit() else 20


def assert_scored_rightly(told: list[notices.Notice]) -> None:
    """Check each round: every hand was opened, and who went out has what the others held."""
    ended = [notice for notice in told if isinstance(notice, notices.RoundEnded)]
    assert ended
    for notice in ended:
        assert notice.unopened == ()
        winner = notice.outcome.winner
        assert winner is not None
        held = sum(worth(face) for hand in notice.hands for face in hand)
        assert notice.outcome.points == tuple(held if s == winner else 0 for s in range(SEATS))
    assert not any(isinstance(notice, notices.RoundVoid) for notice in told)


def stood_in(made: Table) -> int:
    """Return how many statements of the first seat's record give shares for who is not there."""
    return made.record(0).read_bytes().count(b"stood-in")


def test_others_stand_in_for_a_program_that_is_killed_until_it_plays_its_hand_on(
    tmp_path: Path,
) -> None:
    with table(tmp_path, to=1, resilience=1) as made:
        end(made.running[VICTIM])
        made.wait(lambda: stood_in(made) >= 1)
        # Of four two are no majority: the round waits until the third is there to be back.
        others = [made.running[seat] for seat in (1, 3)]
        for program in others:
            program.send_signal(signal.SIGSTOP)
        made.sit(VICTIM)
        made.wait(lambda: "You are away" in made.screen(VICTIM).read_text())
        for program in others:
            program.send_signal(signal.SIGCONT)
        made.play_out(*range(SEATS))
        made.check_records(*range(SEATS))
    told = made.told(0)
    assert_scored_rightly(told)
    away, back = [n for n in told if isinstance(n, notices.SeatAway | notices.SeatBack)][:2]
    assert isinstance(back, notices.SeatBack)
    assert away.seat == back.seat
    moves = [n for n in told[told.index(back) :] if isinstance(n, notices.MoveMade)]
    assert away.seat in {move.seat for move in moves}, "it plays on in the same round"


def test_others_stand_in_for_a_program_that_is_killed_for_good_and_score_its_hand(
    tmp_path: Path,
) -> None:
    with table(tmp_path, to=1, resilience=1) as made:
        end(made.running[VICTIM])
        made.play_out(0, 1, 3)
        made.check_records(0, 1, 3)
    assert stood_in(made) >= 3
    told = made.told(0)
    assert_scored_rightly(told)
    (away,) = [notice for notice in told if isinstance(notice, notices.SeatAway)]
    (ended,) = [notice for notice in told if isinstance(notice, notices.RoundEnded)]
    assert ended.hands[away.seat], "others have opened it"
    assert audit(made.folder / "home-2", made.record(VICTIM))["finding"] == "incomplete"


@pytest.mark.soak
@pytest.mark.parametrize("comes_back", [False, True])
def test_a_match_of_many_rounds_is_played_with_others_standing_in(
    tmp_path: Path, *, comes_back: bool
) -> None:
    with table(tmp_path, to=3, resilience=1) as made:
        end(made.running[VICTIM])
        made.wait(lambda: stood_in(made) >= 3)
        seats = [0, 1, 3]
        if comes_back:
            made.sit(VICTIM)
            made.wait(lambda: "seat2 is back" in made.screen(0).read_text())
            seats.append(VICTIM)
        made.play_out(*seats)
        made.check_records(*seats)
    assert_scored_rightly(made.told(0))
