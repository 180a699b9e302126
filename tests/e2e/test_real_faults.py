"""Brokers that die, forget and lose, programs that are killed and sleep: every match ends, nobody is blamed."""

import json
import os
import random
import signal
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.bad_network import Proxy, Weather, proxy
from tests.e2e.support import end
from tests.e2e.test_absence import PATIENCE_S, SEATS, Table
from tests.edge.support import free_port, mosquitto

pytestmark = [pytest.mark.broker, pytest.mark.timeout(300)]
CONFIG = "allow_anonymous true"
LONG = pytest.mark.timeout(3600)
KILLS = 200


class Play:
    """A table whose broker, or the way to it, is bad."""

    def __init__(self, folder: Path, stack: ExitStack, to: int, *, seats: int = SEATS) -> None:
        """Prepare; nobody sits yet."""
        self.stack, self.folder = stack, folder
        self.broker = free_port()
        self.life = stack.enter_context(mosquitto(folder, CONFIG, self.broker))
        self.table = Table(folder, self.broker, to)
        self.seats = range(seats)
        stack.callback(lambda: end(*self.table.running.values()))

    def through(self, weather: Weather) -> Proxy:
        """Let everybody come through a proxy."""
        made = self.stack.enter_context(proxy(self.broker, weather))
        self.table.port = made.port
        return made

    def begin(self, steps: int = 12) -> None:
        """Let everybody sit down, and play some steps."""
        for seat in self.seats:
            self.table.sit(seat)
        self.table.wait_for_steps(0, steps)

    def check(self) -> None:
        """Let the match end; audit every record."""
        self.table.play_out(*self.seats)
        self.table.check_records(*self.seats)

    def kill_broker(self, seconds: float) -> None:
        """Kill the broker, and start it again with nothing that it knew."""
        self.life.kill()
        self.life.wait()
        time.sleep(seconds)
        self.life = self.stack.enter_context(mosquitto(self.folder, CONFIG, self.broker))


@pytest.mark.slow
def test_a_broker_that_is_killed_and_comes_back_empty_loses_no_move(tmp_path: Path) -> None:
    with ExitStack() as stack:
        play = Play(tmp_path, stack, to=1)
        play.begin()
        play.kill_broker(0.5)
        play.table.wait_for_steps(0, play.table.steps(0) + 4)
        play.kill_broker(0.1)
        play.check()


@pytest.mark.slow
def test_a_network_that_loses_delays_and_cuts_and_a_broker_that_forgets_lose_no_move(
    tmp_path: Path,
) -> None:
    with ExitStack() as stack:
        play = Play(tmp_path, stack, to=1)
        made = play.through(Weather(forget=0.01, lose=0.01, delay_s=0.005, cut_s=(4, 9)))
        play.begin()
        made.weather.forget = 1.0  # accepted and forgotten, all of it, for a while
        time.sleep(1.5)
        made.weather.forget = 0.01
        play.check()
        assert made.counts.forgotten
        assert made.counts.lost
        print(made.counts)


# -- long --------------------------------------------------------------------------------------


@pytest.mark.soak
@LONG
def test_bad_networks_of_many_kinds(tmp_path: Path) -> None:
    kinds = {
        "loses a fifth": Weather(forget=0.1, lose=0.1),
        "forgets a third": Weather(forget=0.33),
        "cuts every two seconds": Weather(cut_s=(1, 3)),
        "slow": Weather(delay_s=0.25),
        "all of it": Weather(forget=0.1, lose=0.1, delay_s=0.1, cut_s=(2, 6)),
    }
    for name, weather in kinds.items():
        folder = tmp_path / name.replace(" ", "-")
        folder.mkdir()
        with ExitStack() as stack:
            play = Play(folder, stack, to=2)
            made = play.through(weather)
            began = time.monotonic()
            play.begin()
            play.check()
            print(
                f"{name}: {play.table.steps(0)} steps, {time.monotonic() - began:.0f} s, {made.counts}"
            )


@pytest.mark.soak
@LONG
def test_a_broker_killed_again_and_again(tmp_path: Path) -> None:
    rng = random.Random(1)
    with ExitStack() as stack:
        play = Play(tmp_path, stack, to=3)
        play.begin()
        kills = 0
        while play.table.running[0].poll() is None and kills < 12:
            play.kill_broker(rng.choice([0.0, 0.5, 2.0]))
            kills += 1
            time.sleep(rng.uniform(2, 5))
        play.check()
        print(f"{kills} kills of the broker, {play.table.steps(0)} steps")


@pytest.mark.soak
@LONG
def test_programs_killed_at_random_moments_for_shorter_and_for_longer_than_patience(
    tmp_path: Path,
) -> None:
    """Each match is a line of the file that `UNOP2P_SOAK_REPORT` names: it goes on from there."""
    report = Path(os.environ.get("UNOP2P_SOAK_REPORT", str(tmp_path / "report.jsonl")))
    lines = report.read_text(encoding="ascii").splitlines() if report.exists() else []
    total = Counter[str]()
    for line in lines:
        total += Counter(json.loads(line))
    while total["kills"] < KILLS:
        folder = tmp_path / str(total["matches"])
        folder.mkdir()
        with ExitStack() as stack:
            play = Play(folder, stack, to=6)
            play.begin()
            found = _kill_at_random(
                play.table, random.Random(5 + total["matches"]), KILLS - total["kills"]
            )
            play.check()
            found["steps"] = play.table.steps(0)
        total += found
        with report.open("a", encoding="ascii") as file:
            file.write(json.dumps(found) + "\n")
        print(dict(total))


def _kill_at_random(table: Table, rng: random.Random, most: int) -> Counter[str]:
    """Kill programs, or let them sleep, until the match ends or there were enough kills."""
    done = Counter(matches=1, records=SEATS)

    def lives() -> bool:
        return all(program.poll() is None for program in table.running.values())

    while done["kills"] < most and lives():
        # On a slow machine programs take longer to start than to be killed: then nothing would settle.
        goal = max(map(table.steps, table.running)) + rng.choice([0, 1, 2, 4, 8])
        table.wait(lambda: max(map(table.steps, table.running)) >= goal or not lives())  # noqa: B023
        time.sleep(rng.uniform(0.0, 0.5))
        victim = rng.randrange(SEATS)
        if table.running[victim].poll() is not None:
            break
        away = rng.choice([0.0, 0.3, 1.0, 1.0, PATIENCE_S + 1.5])
        if rng.random() < 0.8:
            end(table.running[victim])
            table.note(victim)
            time.sleep(away)
            table.sit(victim)
            done["kills"] += 1
        else:
            table.running[victim].send_signal(signal.SIGSTOP)
            time.sleep(away)
            table.running[victim].send_signal(signal.SIGCONT)
            done["sleeps"] += 1
        done["longer"] += away > PATIENCE_S
    return done


@pytest.mark.soak
@LONG
def test_a_table_of_four_where_one_is_killed_in_every_round_scores_all_rounds_right(
    tmp_path: Path,
) -> None:
    rounds, kills = 5, 0
    with ExitStack() as stack:
        play = Play(tmp_path, stack, to=rounds)
        table = play.table
        play.begin()
        for number in range(1, rounds + 1):
            table.wait(lambda: f"Round {number}" in table.screen(0).read_text())  # noqa: B023
            # The deal is over by then: who goes away in it makes the round void.
            goal = table.steps(0) + 8
            table.wait(lambda: table.steps(0) >= goal or table.running[0].poll() is not None)  # noqa: B023
            if table.running[0].poll() is not None:
                break  # one seat has won while another came back
            kills += 1
            victim = 1 + number % (SEATS - 1)
            said = table.screen(0).read_text().count("is back")
            end(table.running[victim])
            table.wait(lambda: f"seat{victim} is away" in table.screen(0).read_text())  # noqa: B023
            table.sit(victim)
            table.wait(
                lambda: (
                    table.screen(0).read_text().count("is back") > said  # noqa: B023
                    or table.running[0].poll() is not None
                )
            )
        play.check()
        print(f"{kills} rounds with one kill in each, {table.steps(0)} steps")


@pytest.mark.soak
@LONG
def test_how_long_the_others_wait_and_how_long_a_return_takes(tmp_path: Path) -> None:
    """Prints; the figures are the machine's. Ten kills, each longer than patience."""
    waits: list[float] = []
    returns: list[float] = []
    with ExitStack() as stack:
        play = Play(tmp_path, stack, to=40)
        table = play.table
        play.begin()
        for number in range(10):
            time.sleep(1)
            victim = 1 + number % (SEATS - 1)
            end(table.running[victim])
            killed, before = time.monotonic(), table.screen(0).read_text().count("is away")
            table.wait(lambda: table.screen(0).read_text().count("is away") > before)  # noqa: B023
            waits.append(time.monotonic() - killed)
            back = table.screen(0).read_text().count("is back")
            began = time.monotonic()
            table.sit(victim)
            table.wait(lambda: table.screen(0).read_text().count("is back") > back)  # noqa: B023
            returns.append(time.monotonic() - began)
        for program in table.running.values():
            program.send_signal(signal.SIGTERM)
        print(f"patience {PATIENCE_S} s; from kill -9 to going on: {_list(waits)} s")
        print(f"from the start of the program again to playing again: {_list(returns)} s")


def _list(seconds: list[float]) -> str:
    return " ".join(f"{value:.1f}" for value in seconds)
