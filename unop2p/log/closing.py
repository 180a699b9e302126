"""How an open step closes without everybody: seals, tries, adopts, and what settles it.

Source: protocol section 4. A *close* says for each active seat: this statement, or left out. It is
*sealed* at attempt 0 by the statements of all active seats, at attempt a >= 1 by equal tries of a
majority of the voters; a try counts only together with the seal that it names. Equal adopts of a
majority settle it, for a peer once it has checked every statement in it itself.

Whoever adopted a close names, in every later try, a seal at least as high, and any two majorities share
a voter: so two closes of one step never settle without a contradiction. `tests/model` looks at every
run of these rules for small tables, and holds this file to them.

Pure functions of what a peer holds of the step. What a statement means is not known here: `Fine` says
whether all that stands in a close was checked.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice, product

from unop2p.ids import Seat
from unop2p.log.messages import Adopt, Signed, Try, close_digest
from unop2p.log.steps import Certificate, Held, OpenStep

CLOSES_MAX = 4_096
"""Closes looked through to find which statements a digest stands for: ten seats, two of them double."""

Chosen = Mapping[Seat, Held]
"""The statements in a close; an active seat that is missing is left out."""
Fine = Callable[[Chosen], bool]
"""Whether everything in a close was checked here, and holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """What makes a close adoptable."""

    attempt: int
    close: bytes
    tries: tuple[Signed, ...]
    """The equal tries, by rising seat; none at attempt 0."""
    named: frozenset[int] = frozenset()
    """The attempts of the seals that these tries name; they have the same close."""


def majority(voters: int) -> int:
    """Return how many of so many voters are more than half."""
    return voters // 2 + 1


def all_checked(chosen: Chosen) -> bool:
    """Say whether every statement in a close was checked by itself, and is not wrong."""
    return all(held.checked and not held.wrong for held in chosen.values())


def digest_of(step: OpenStep, chosen: Chosen) -> bytes:
    """Return the digest of the close that holds these statements and leaves out the other seats."""
    hashes = {seat: held.signed.hash for seat, held in chosen.items()}
    return close_digest(step.step, step.head, step.active, hashes)


def find_close(step: OpenStep, digest: bytes) -> dict[Seat, Held] | None:
    """Return the statements of a close by its digest, or None while some of them are not held."""
    seats = [seat for seat in step.active if step.variants(seat)]
    pools: list[tuple[Held | None, ...]] = [(*step.variants(seat), None) for seat in seats]
    for picked in islice(product(*pools), CLOSES_MAX):
        chosen = {seat: held for seat, held in zip(seats, picked, strict=True) if held is not None}
        if digest_of(step, chosen) == digest:
            return chosen
    return None


def seals(step: OpenStep) -> tuple[Seal, ...]:
    """Return every seal that is held, by rising attempt, those of one attempt by rising close."""
    found = [Seal(attempt=0, close=close, tries=()) for close in _full_closes(step)]
    held = {(seal.attempt, seal.close) for seal in found}
    by_attempt: dict[int, list[tuple[Seat, Signed, Try]]] = {}
    for seat in step.voters:
        for signed, vote in step.votes.get(seat, ()):
            if isinstance(vote, Try) and vote.attempt > 0:
                by_attempt.setdefault(vote.attempt, []).append((seat, signed, vote))
    for attempt in sorted(by_attempt):
        counted: dict[bytes, dict[Seat, tuple[Signed, Try]]] = {}
        for seat, signed, vote in by_attempt[attempt]:
            if _names_truly(vote, held):
                counted.setdefault(vote.close, {}).setdefault(seat, (signed, vote))
        enough = [c for c in sorted(counted) if len(counted[c]) >= majority(len(step.voters))]
        for close in enough:
            tries = counted[close].values()
            found.append(
                Seal(
                    attempt=attempt,
                    close=close,
                    tries=tuple(signed for signed, _ in tries),
                    named=frozenset(vote.seal for _, vote in tries if vote.seal is not None),
                )
            )
        held |= {(attempt, close) for close in enough}
    return tuple(found)


def _names_truly(vote: Try, held: set[tuple[int, bytes]]) -> bool:
    """Say whether a try names no seal, or a lower one of its own close that is held."""
    return vote.seal is None or (vote.seal < vote.attempt and (vote.seal, vote.close) in held)


def _full_closes(step: OpenStep) -> list[bytes]:
    """Return the closes that leave nobody out: one, unless a seat has contradicted itself."""
    pools = [[held for held in step.variants(seat) if not held.wrong] for seat in step.active]
    return sorted(
        digest_of(step, dict(zip(step.active, picked, strict=True)))
        for picked in islice(product(*pools), CLOSES_MAX)
    )


def highest(found: tuple[Seal, ...]) -> Seal | None:
    """Return the seal of the highest attempt; of two, which takes a contradiction, the lower close."""
    if not found:
        return None
    return min(found, key=lambda seal: (-seal.attempt, seal.close))


# -- what an honest voter says -----------------------------------------------------------------


def next_attempt(step: OpenStep, seat: Seat) -> int | None:
    """Return the attempt that a voter may try next, or None.

    It has made its own statement, where it owes one; attempts rise, with one try for each; and attempt
    a + 1 takes tries of attempt a from a majority, whatever their closes, or a seal of a.
    """
    if seat not in step.voters or (seat in step.active and not step.variants(seat)):
        return None
    tried: Counter[int] = Counter()
    for voter in step.voters:
        votes = step.votes.get(voter, ())
        tried.update({vote.attempt for _, vote in votes if isinstance(vote, Try)})
    ready = {attempt for attempt, count in tried.items() if count >= majority(len(step.voters))}
    ready |= {seal.attempt for seal in seals(step)}
    attempt = max(ready, default=0) + 1
    return attempt if attempt > last_tried(step, seat) else None


def last_tried(step: OpenStep, seat: Seat) -> int:
    """Return the highest attempt that a voter has tried, 0 for none."""
    votes = step.votes.get(seat, ())
    return max((vote.attempt for _, vote in votes if isinstance(vote, Try)), default=0)


def make_try(
    step: OpenStep,
    table: bytes,
    attempt: int,
    *,
    guilty: frozenset[Seat] = frozenset(),
    fine: Fine = all_checked,
) -> Try | None:
    """Return the try of a voter whose patience is out; None where it would leave out everybody.

    It names the highest seal that is held, and that close; where there is none, the close of all the
    statements that are held and checked, but for those of seats proved guilty.

    Args:
        step: what the voter holds of the open step.
        table: the table's id.
        attempt: from `next_attempt`.
        guilty: seats that are proved to have broken the protocol.
        fine: whether what stands in a close was checked.
    """
    top = highest(seals(step))
    if top is not None:
        close, named = top.close, top.attempt
    else:
        chosen = choose(step, guilty, fine)
        if not chosen:
            return None
        close, named = digest_of(step, chosen), None
    return Try(
        table=table, step=step.step, head=step.head, attempt=attempt, close=close, seal=named
    )


def choose(step: OpenStep, guilty: frozenset[Seat], fine: Fine) -> dict[Seat, Held]:
    """Return all the statements that may stand in a close together, of nobody proved guilty."""
    held = {seat: step.statements[seat] for seat in step.active if seat in step.statements}
    sound = {seat: one for seat, one in held.items() if seat not in guilty and not one.wrong}
    chosen = {seat: one for seat, one in sound.items() if one.checked}
    for seat, one in sound.items():
        # What builds on a statement that is left out cannot be checked, and need not be.
        if seat not in chosen and fine({**chosen, seat: one}):
            chosen[seat] = one
    return chosen


def only_guilty_missing(step: OpenStep, guilty: frozenset[Seat]) -> bool:
    """Say whether the step lacks something, and nothing but what guilty seats would have to say."""
    lacking = {
        seat
        for seat in step.active
        if seat in guilty or not any(not held.wrong for held in step.variants(seat))
    }
    return bool(lacking) and lacking <= guilty


def next_adopt(step: OpenStep, seat: Seat, table: bytes, fine: Fine = all_checked) -> Adopt | None:
    """Return the adopt that a voter may say now, or None: the highest seal that it has checked.

    In rising order, and never an attempt lower than one that it has tried.
    """
    if seat not in step.voters:
        return None
    low, adopted = last_tried(step, seat), -1
    for _, vote in step.votes.get(seat, ()):
        if isinstance(vote, Adopt):
            adopted = max(adopted, vote.attempt)
    for seal in sorted(seals(step), key=lambda found: (-found.attempt, found.close)):
        if seal.attempt < low or seal.attempt <= adopted:
            return None
        chosen = find_close(step, seal.close)
        if chosen is not None and fine(chosen):
            return Adopt(
                table=table,
                step=step.step,
                head=step.head,
                attempt=seal.attempt,
                close=seal.close,
            )
    return None


# -- what settles it ---------------------------------------------------------------------------


def settled(step: OpenStep, fine: Fine = all_checked) -> Certificate | None:
    """Return the certificate of the close that a majority has adopted and that was checked here."""
    if not step.irregular:
        return step.settled()
    return next(iter(certificates(step, fine)), None)


def certificates(step: OpenStep, fine: Fine = all_checked) -> list[Certificate]:
    """Return a certificate of every close that has settled and whose seal is held.

    By rising attempt and close, one for each close. More than one is a fork.
    """
    adopts: dict[tuple[int, bytes], dict[Seat, Signed]] = {}
    for seat in step.voters:
        for signed, vote in step.votes.get(seat, ()):
            if isinstance(vote, Adopt):
                adopts.setdefault((vote.attempt, vote.close), {}).setdefault(seat, signed)
    found: dict[bytes, Certificate] = {}
    for attempt, close in sorted(adopts):
        held = adopts[attempt, close]
        if len(held) < majority(len(step.voters)) or close in found:
            continue
        chosen = find_close(step, close)
        tries = seal_tries(step, attempt, close)
        # Whoever is shown it wants the seal, too: it is waited for, and asked for.
        sealed = bool(tries) if attempt else chosen is not None and len(chosen) == len(step.active)
        if chosen is not None and sealed and fine(chosen):
            found[close] = Certificate(
                step=step.step,
                head=step.head,
                close=close,
                attempt=attempt,
                statements=tuple(chosen[seat].signed for seat in step.active if seat in chosen),
                adopts=tuple(held.values()),
                tries=tries,
            )
    return list(found.values())


def seal_tries(step: OpenStep, attempt: int, close: bytes) -> tuple[Signed, ...]:
    """Return the tries that seal a close, with those of every seal that they name."""
    by_place = {(seal.attempt, seal.close): seal for seal in seals(step)}
    waiting, used = [attempt], set[int]()
    while waiting:
        number = waiting.pop()
        seal = by_place.get((number, close))
        if seal is not None and number not in used:
            used.add(number)
            waiting += seal.named
    return tuple(signed for number in sorted(used) for signed in by_place[number, close].tries)
