"""`kill -9` at random moments: the same command again goes on, and the match ends."""

import random
import re
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.support import audit, end, start
from tests.edge.support import free_port, mosquitto

SEATS = 3
LIMIT_S = 150


def ticket_in(path: Path) -> str:
    for _ in range(200):
        found = re.search(r"unop2p:[a-z-]+@\S+", path.read_text())
        if found:
            return found[0]
        time.sleep(0.05)
    raise AssertionError(path.read_text())


@pytest.mark.slow
@pytest.mark.broker
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("seed", "kills"), [(1, 8), (2, 12)])
def test_killed_seats_come_back_to_the_same_hand_and_every_record_holds(
    tmp_path: Path, seed: int, kills: int
) -> None:
    rng = random.Random(seed)
    port = free_port()
    homes = [tmp_path / f"home-{seat}" for seat in range(SEATS)]
    screens = [tmp_path / f"screen-{seat}.txt" for seat in range(SEATS)]
    records = [tmp_path / f"record-{seat}.jsonl" for seat in range(SEATS)]
    broker = f"mqtt://127.0.0.1:{port}"
    running: list[subprocess.Popen[bytes]] = []

    def sit(seat: int) -> "subprocess.Popen[bytes]":
        words = ["--record", str(records[seat]), "--name", f"seat{seat}"]
        if seat == 0:
            words = ["host", "--seats", str(SEATS), "--bot", "greedy", "--to", "60", *words]
            words += ["--broker", broker]
        else:
            words = ["bot", ticket_in(screens[0]), *words]
        with screens[seat].open("ab") as out:
            return start(homes[seat], *words, out=out)

    with mosquitto(tmp_path, "allow_anonymous true", port):
        try:
            for seat in range(SEATS):
                running.append(sit(seat))
            began, done = time.monotonic(), 0
            while any(program.poll() is None for program in running):
                assert time.monotonic() - began < LIMIT_S, [s.read_text()[-500:] for s in screens]
                time.sleep(rng.uniform(0.2, 1.2))
                if done >= kills:
                    continue
                struck = list(range(SEATS)) if rng.random() < 0.25 else [rng.randrange(SEATS)]
                alive = [seat for seat in struck if running[seat].poll() is None]
                end(*(running[seat] for seat in alive))
                done += len(alive)
                for seat in alive:
                    running[seat] = sit(seat)
            assert [program.returncode for program in running] == [0] * SEATS
            assert done > 0
        finally:
            end(*running)
    found = [audit(homes[seat], records[seat]) for seat in range(SEATS)]
    assert {report["finding"] for report in found} == {"complete"}, found
    assert len({report["head"] for report in found}) == 1
