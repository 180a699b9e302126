"""A table of four bots, each a program of its own, whose seats are at different brokers."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep

from tests.e2e.support import audit, end, start

NAMES = ("ann", "ben", "cleo", "dan")
PATIENCE_S = 240


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until something is so, for at most four minutes."""
    deadline = monotonic() + PATIENCE_S
    while not condition():
        assert monotonic() < deadline
        sleep(0.05)


def ticket_in(said: Path) -> str:
    """Return the ticket that a host has shown by now, or nothing."""
    lines = said.read_text().splitlines()
    return next((line.strip() for line in lines if "unop2p:" in line and "@" in line), "")


def play_spread(
    folder: Path,
    seats: Sequence[Sequence[str]],
    *options: str,
    meanwhile: Callable[[], None] = lambda: None,
    password: str = "sesame",  # noqa: S107  # of a broker that a test has started
) -> None:
    """Play one round, and see that every seat's record is whole and says the same.

    Args:
        folder: for homes and records.
        seats: the addresses of the brokers of each seat, the host's first.
        options: more, for every seat.
        meanwhile: is called once in mid round.
        password: for brokers that want one.
    """
    with ExitStack() as stack:
        programs, heard = [], []
        for name, brokers in zip(NAMES, seats, strict=False):
            heard.append(folder / f"{name}.said")
            out = stack.enter_context(heard[-1].open("wb"))
            words = [word for url in brokers for word in ("--broker", url)]
            sit = ["bot", ticket_in(heard[0]), "--name", name]
            if name == NAMES[0]:
                sit = [
                    "host", "--bot", "greedy", "--name", name, "--seats", str(len(seats)),
                    "--set", "match_end=rounds", "--to", "1",
                ]  # fmt: skip
            program = start(
                folder / name, *sit, *words, *options,
                "--record", str(folder / f"{name}.jsonl"), out=out, UNOP2P_BROKER_PASSWORD=password,
            )  # fmt: skip
            stack.callback(end, program)
            programs.append(program)
            if name == NAMES[0]:
                wait_until(lambda: bool(ticket_in(heard[0])) or programs[0].poll() is not None)
        wait_until(lambda: all("Round 1" in path.read_text() for path in heard))
        meanwhile()
        codes = [program.wait(PATIENCE_S) for program in programs]
        assert codes == [0] * len(seats), [path.read_text()[-2000:] for path in heard]
    found = [audit(folder / "home", folder / f"{name}.jsonl") for name in NAMES[: len(seats)]]
    assert [item["code"] for item in found] == [0] * len(seats)
    assert len({item["head"] for item in found}) == 1
