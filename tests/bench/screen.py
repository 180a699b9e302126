"""How the screen answers: the first prompt of `play`, and the echo of a key in a storm of events.

Both look at the real terminal from outside, as a person does: bytes go into a pseudo-terminal, and the
time is taken when the answer comes out of it.
"""

import argparse
import asyncio
import os
import random
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tests.repl.support import FakeSession, view_of
from unop2p.ids import Seat
from unop2p.peer.events import Stop
from unop2p.repl.app import App
from unop2p.rules.cards import Face
from unop2p.rules.moves import Play
from unop2p.table import notices

EVENTS_PER_S = 200
KEYS = 150
KEY_S = 0.05
"""Between one key and the next: quicker than most people type."""
LETTERS = "QXZJ"
"""Nothing else on the screen has them: what comes out with one of them is its echo."""
PROMPT = b"wait>"


@contextmanager
def terminal(command: list[str], columns: int, rows: int, **more: str) -> Iterator[int]:
    """Run a command in a pseudo-terminal, and yield our end of it."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", **more},
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield ours
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def read_until(ours: int, wanted: bytes, seconds: float = 60) -> bytes:
    """Read until something has come out; return all that came."""
    until = time.perf_counter() + seconds
    data = b""
    while wanted not in data:
        ready, _, _ = select.select([ours], [], [], max(0.0, until - time.perf_counter()))
        assert ready, f"{wanted!r} did not come: {data[-500:]!r}"
        data += os.read(ours, 65_536)
    return data


def first_prompt(runs: int = 7) -> dict[str, object]:
    """`unop2p play` until its first prompt and its first drawing, beside an interpreter alone."""
    program = str(Path(sys.executable).with_name("unop2p"))
    prompts: list[float] = []
    drawn: list[float] = []
    bare: list[float] = []
    imports: list[float] = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as home:
            began = time.perf_counter()
            command = [program, "play", "--name", "mia", "--new"]
            with terminal(command, 80, 24, UNOP2P_HOME=home) as ours:
                read_until(ours, PROMPT)
                prompts.append(time.perf_counter() - began)
                read_until(ours, b"broker")
                drawn.append(time.perf_counter() - began)
        for words, times in (("pass", bare), ("import unop2p.cli.play", imports)):
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", words], check=True)
            times.append(time.perf_counter() - began)
    return {
        "first_prompt_ms": _spread(prompts),
        "first_drawing_ms": _spread(drawn),
        "interpreter_ms": _spread(bare),
        "with_what_play_imports_ms": _spread(imports),
    }


def _spread(times: list[float]) -> dict[str, int]:
    """Return median, least and most, in milliseconds."""
    found = (statistics.median(times), min(times), max(times))
    return dict(zip(("p50", "min", "max"), (round(one * 1000) for one in found), strict=True))


def echo(columns: int, rows: int) -> dict[str, object]:
    """Type into a screen at which 200 events a second are told; time each echo."""
    command = [sys.executable, "-m", "tests.bench.screen", "storm"]
    times: list[float] = []
    with terminal(command, columns, rows) as ours:
        read_until(ours, PROMPT)
        for number in range(KEYS):
            letter = LETTERS[number % len(LETTERS)].encode()
            began = time.perf_counter()
            os.write(ours, letter)
            read_until(ours, letter)
            times.append((time.perf_counter() - began) * 1000)
            # What is told meanwhile is read, or the terminal would be full.
            pause = began + KEY_S - time.perf_counter()
            while pause > 0:
                if select.select([ours], [], [], pause)[0]:
                    os.read(ours, 65_536)
                pause = began + KEY_S - time.perf_counter()
    times.sort()
    return {
        "events_per_s": EVENTS_PER_S,
        "echo_ms": {
            "p50": round(times[len(times) // 2], 1),
            "p95": round(times[int(len(times) * 0.95)], 1),
            "max": round(times[-1], 1),
        },
    }


def figures() -> dict[str, object]:
    """Return all figures of the screen."""
    return {
        "first prompt of play": first_prompt(),
        **{
            f"echo of a key at {columns}x{rows}": echo(columns, rows)
            for columns, rows in ((60, 18), (80, 24), (200, 50))
        },
    }


async def storm() -> None:
    """Show a table at which something happens all the time."""
    rng = random.Random(1)
    view = view_of("W R7 G3 R5 B2 YS", top="R9", others=("B1 B2 B3", "B4 B5"))
    session = FakeSession(replace(view, my_turn=False, legal=()))
    app = App(session, link=lambda: "up")
    finished: asyncio.Future[Stop] = asyncio.get_running_loop().create_future()
    shown = asyncio.create_task(app.run(finished))
    number = 0
    began = time.perf_counter()
    while not shown.done():
        await asyncio.sleep(1 / EVENTS_PER_S)
        while number < (time.perf_counter() - began) * EVENTS_PER_S:
            number += 1
            face = rng.choice(list(Face)[:20])
            told: notices.Notice = notices.ChatSaid(name="ben", text=f"event {number}.")
            if number % 2:
                told = notices.MoveMade(seat=Seat(number % 3), move=Play(cards=(face,)))
            seats = tuple(replace(seat, hand_count=(number + seat.seat) % 9) for seat in view.seats)
            session.view = replace(session.view, step=number, seats=seats)
            session.notices.put_nowait(told)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["storm", "figures"], default="figures", nargs="?")
    if parser.parse_args().what == "storm":
        asyncio.run(storm())
    else:
        print(figures())
