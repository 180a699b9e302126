"""A round is over: the journal becomes small, and after a crash at any moment of that nothing is lost."""

import errno
import os
import random
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.peer.test_ring import SHORT
from unop2p.edge import journal as module
from unop2p.edge.errors import JournalError, JournalLockedError
from unop2p.edge.journal import Journal, past_path, remove_journal
from unop2p.peer import events
from unop2p.rules.options import with_overrides
from unop2p.sim.ring import Place, Ring
from unop2p.sim.toy import in_toy_group

CALLS = ("open", "write", "fsync", "ftruncate", "replace", "unlink")
"""What a program does to a disk."""


class Killed(BaseException):
    """The program has ended here: nothing after it happens."""


@contextmanager
def failing(at: int, failure: Callable[[], BaseException]) -> Iterator[list[str]]:
    """Let the n-th call to the disk fail, a write with half of it done; yields the calls so far."""
    made: list[str] = []
    real = {name: getattr(os, name) for name in CALLS}

    def wrapped(name: str) -> Callable[..., Any]:
        def call(*words: Any, **more: Any) -> Any:
            made.append(name)
            if len(made) == at:
                if name == "write":
                    real[name](words[0], bytes(words[1])[: len(words[1]) // 2])
                raise failure()
            return real[name](*words, **more)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, wrapped(name))
        yield made


def kill(journal: Journal) -> None:
    """Let go of the files, as the kernel does for a program that was killed."""
    journal._frames.file.close()
    if journal._past is not None:
        journal._past.file.close()


def filled(path: Path, rounds: int) -> list[bytes]:
    """Write a journal with some rounds in the past, and one that is over; return its entries."""
    entries: list[bytes] = []
    with Journal.open(path) as journal:
        for number in range(rounds + 1):
            if number:
                journal.compact()
            for step in range(3):
                group = [b"%d %d %d " % (number, step, seat) * 9 for seat in range(3)]
                journal.append(group)
                entries += group
    return entries


def held(path: Path) -> list[bytes]:
    with Journal.open(path) as journal:
        return list(journal.entries())


def test_the_same_entries_are_read_and_the_file_is_small(tmp_path: Path) -> None:
    entries = filled(tmp_path / "j", 0)
    before = (tmp_path / "j").stat().st_size
    with Journal.open(tmp_path / "j") as journal:
        journal.compact()
        assert list(journal.entries()) == entries
        journal.append([b"next"])
        assert list(journal.entries()) == [*entries, b"next"]
    assert held(tmp_path / "j") == [*entries, b"next"]
    assert (tmp_path / "j").stat().st_size < 70 < before
    assert past_path(tmp_path / "j").stat().st_size < before


def test_again_and_again_it_holds_one_round(tmp_path: Path) -> None:
    sizes = set()
    with Journal.open(tmp_path / "j") as journal:
        journal.compact()  # nothing is there yet
        for number in range(20):
            journal.append([bytes([number]) * 100])
            sizes.add((tmp_path / "j").stat().st_size)
            journal.compact()
            journal.compact()  # nothing is new
    assert held(tmp_path / "j") == [bytes([number]) * 100 for number in range(20)]
    assert len(sizes) == 2  # the first has no number of entries before it


def test_a_large_round_is_moved_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PACKED_BYTES", 100)
    entries = filled(tmp_path / "j", 3)
    assert held(tmp_path / "j") == entries
    with Journal.open(tmp_path / "j") as journal:
        assert journal._past is not None
        assert len(list(journal._past.bodies())) > 6


def test_the_past_is_private(tmp_path: Path) -> None:
    filled(tmp_path / "j", 1)
    assert stat.S_IMODE((tmp_path / "j").stat().st_mode) == 0o600
    assert stat.S_IMODE(past_path(tmp_path / "j").stat().st_mode) == 0o600


@pytest.mark.parametrize("rounds", [0, 1])
def test_killed_before_any_call_to_the_disk_nothing_is_lost_and_all_goes_on(
    tmp_path: Path, rounds: int
) -> None:
    seen: set[str] = set()
    at = 0
    while True:
        at += 1
        path = tmp_path / f"j{at}"
        entries = filled(path, rounds)
        journal = Journal.open(path)
        with failing(at, Killed) as made:
            try:
                journal.compact()
            except Killed:
                seen.add(made[-1])
            else:
                break
            finally:
                kill(journal)
        assert held(path) == entries, made
        with Journal.open(path) as again:
            again.append([b"after"])
            assert list(again.entries()) == [*entries, b"after"], made
            again.compact()
            again.append([b"and after"])
        assert held(path) == [*entries, b"after", b"and after"], made
        assert sorted(p.name for p in tmp_path.glob(f"j{at}*")) == [f"j{at}", f"j{at}.past"]
    assert at > 8
    assert {"write", "fsync", "replace", "open"} <= seen
    journal.close()


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_disk_that_is_full_or_fails_at_any_call_loses_nothing(tmp_path: Path, code: int) -> None:
    at, stopped = 0, 0
    while True:
        at += 1
        path = tmp_path / f"j{at}"
        entries = filled(path, 1)
        with Journal.open(path) as journal:
            with failing(at, lambda: OSError(code, os.strerror(code))) as made:
                try:
                    journal.compact()
                    fails = False
                except JournalError:
                    fails = True
            stopped += fails
            if fails:
                with pytest.raises(JournalError):
                    journal.append([b"refused"])
            else:
                journal.append([b"after"])
                entries.append(b"after")
            assert list(journal.entries()) == entries, made
        assert held(path) == entries, made
        if len(made) < at:
            break
    assert at > 6
    # A full disk stops nobody, but where the folder cannot be opened or synced after the change of names.
    assert stopped == 2 if code == errno.ENOSPC else stopped > 4


def test_a_torn_end_of_the_past_is_cut_off_and_what_it_had_is_still_in_the_journal(
    tmp_path: Path,
) -> None:
    entries = filled(tmp_path / "j", 1)
    start = past_path(tmp_path / "j").read_bytes()
    with Journal.open(tmp_path / "j") as journal, failing(2, Killed):
        with pytest.raises(Killed):
            journal.compact()
    whole = filled(tmp_path / "k", 2)
    grown = past_path(tmp_path / "k").read_bytes()
    assert grown.startswith(start)
    for cut in range(len(start), len(grown) + 1):
        past_path(tmp_path / "j").write_bytes(grown[:cut])
        assert held(tmp_path / "j") == entries == whole[: len(entries)], cut


def test_who_opened_the_file_before_it_was_replaced_does_not_get_the_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path / "j", 0)
    real, given = module._opened, []
    with Journal.open(tmp_path / "j") as journal:
        early = real(tmp_path / "j")
        journal.compact()
        journal.append([b"said"])

        def opened(path: Path) -> Any:
            given.append(path)
            return early if len(given) == 1 else real(path)

        monkeypatch.setattr(module, "_opened", opened)
        with pytest.raises(JournalLockedError):
            Journal.open(tmp_path / "j")
        assert len(given) == 2
        assert early.closed
    assert held(tmp_path / "j")[-1] == b"said"


def test_it_is_locked_after_it_was_made_small(tmp_path: Path) -> None:
    filled(tmp_path / "j", 0)
    with Journal.open(tmp_path / "j") as journal:
        journal.compact()
        with pytest.raises(JournalLockedError):
            Journal.open(tmp_path / "j")
    Journal.open(tmp_path / "j").close()


def test_a_past_that_is_missing_shorter_changed_or_of_another_kind_is_an_error(
    tmp_path: Path,
) -> None:
    filled(tmp_path / "j", 2)
    past = past_path(tmp_path / "j")
    data = past.read_bytes()
    middle = bytearray(data)
    middle[len(data) // 2] ^= 1
    for wrong in (None, b"", data[:-1], data[: len(data) // 2], bytes(middle), b"x" + data[1:]):
        if wrong is None:
            past.unlink()
        else:
            past.write_bytes(wrong)
        before = (tmp_path / "j").read_bytes()
        with pytest.raises(JournalError, match="past"):
            Journal.open(tmp_path / "j")
        assert (tmp_path / "j").read_bytes() == before


def test_a_changed_number_of_entries_is_an_error(tmp_path: Path) -> None:
    filled(tmp_path / "j", 1)
    data = bytearray((tmp_path / "j").read_bytes())
    data[20] ^= 1
    (tmp_path / "j").write_bytes(data)
    with pytest.raises(JournalError, match="not a journal of this version"):
        Journal.open(tmp_path / "j")


def test_removed_no_file_stays_and_a_new_journal_does_not_take_an_old_past(tmp_path: Path) -> None:
    filled(tmp_path / "j", 1)
    remove_journal(tmp_path / "j")
    assert list(tmp_path.iterdir()) == []
    filled(tmp_path / "j", 1)
    (tmp_path / "j").unlink()  # killed in the middle of removing
    assert held(tmp_path / "j") == []
    assert not past_path(tmp_path / "j").exists()


def test_closed_it_is_not_made_small(tmp_path: Path) -> None:
    entries = filled(tmp_path / "j", 0)
    journal = Journal.open(tmp_path / "j")
    journal.close()
    journal.compact()
    assert not past_path(tmp_path / "j").exists()
    assert held(tmp_path / "j") == entries


# -- peers -------------------------------------------------------------------------------------


class Disks(Ring):
    """A ring whose first peer has a real journal, and is killed in every round's end."""

    def __init__(self, folder: Path, seed: int) -> None:
        rounds = with_overrides(SHORT, {"target": 3})
        super().__init__(3, rounds, seed=seed, crash=self._dies)
        self._killed = False
        self.path = folder / "first.journal"
        self.journal = Journal.open(self.path)
        self.chance = random.Random(seed)  # noqa: S311  # which call of the disk is the last
        self.kills: list[str] = []
        self.largest = 0

    def _carry_out(self, index: int, place: Place, effect: events.Effect) -> None:
        super()._carry_out(index, place, effect)
        if index:
            return
        if isinstance(effect, events.Persist):
            self.journal.append(effect.entries)
            self.largest = max(self.largest, self.path.stat().st_size)
        elif isinstance(effect, events.DropSecret):
            with failing(self.chance.randint(1, 12), Killed) as made:
                try:
                    self.journal.compact()
                except Killed:
                    self.kills.append(made[-1])
                finally:
                    kill(self.journal)
            self._killed = True

    def _dies(self, index: int, _: int, _effect: events.Effect) -> bool:
        """Say whether the program is dead that wants to carry this out: then it is started again."""
        if index or not self._killed:
            return False
        self._killed = False
        self.journal = Journal.open(self.path)
        self._queue.append((0, events.Tick()))
        self.places[0].entries = list(self.journal.entries())
        return True


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 3])
def test_a_peer_killed_while_its_journal_becomes_small_plays_on_with_the_same_words(
    tmp_path: Path, seed: int
) -> None:
    with in_toy_group():
        ring = Disks(tmp_path, seed)
        ring.run()
        ring.journal.close()
        chains = [place.peer.chain for place in ring.places]
        assert len({chain.state.head for chain in chains if chain is not None}) == 1
        assert all(chain is not None and chain.state.over for chain in chains)
        assert all(chain is not None and chain.fault is None for chain in chains)
        assert ring.places[0].crashes >= 3
        assert all(len(words) == 1 for words in ring.statements(0).values())
        assert held(ring.path) == ring.places[0].entries
    assert ring.kills
    # Killed before it was small, the file has two of the four rounds for a while.
    assert ring.largest < sum(map(len, ring.places[0].entries)) * 2 / 3
