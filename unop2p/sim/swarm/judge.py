"""What must never happen at a table, looked at after every event; and what must be so at the end.

The promises are those of the protocol, P1 to P6. The judge sees every machine from the inside, and no
peer sees the judge.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unop2p.deal.group import Q, mul, sub
from unop2p.deal.keys import derive_round_keys
from unop2p.log.closing import majority
from unop2p.log.evidence import contradiction
from unop2p.log.messages import Adopt, Signed, Statement, Try
from unop2p.log.steps import Certificate
from unop2p.peer import events
from unop2p.peer.blame import FAULT_EXIT_CODE, SILENT_REASON
from unop2p.peer.chain import Chain
from unop2p.sim.lab.reader import Reader
from unop2p.sim.lab.registry import CHEATS
from unop2p.sim.swarm.faults import Kind
from unop2p.table.phases import Phase
from unop2p.table.state import TableState
from unop2p.table.talk import Accuse
from unop2p.wire import codec
from unop2p.wire.audit import Finding, audit

if TYPE_CHECKING:
    from unop2p.sim.swarm.table import Table

AT_ONCE = frozenset({"fields", "keys", "shares", "shuffle"})
ANSWER_MS = 5_000
"""Who is started at the healing has asked, and heard of the end, within so long."""
"""Families of cheats whose false statements are refused as they come, where shuffles are proved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """Something that must not be."""

    promise: str
    """P1 to P6."""
    check: str
    """Which checker found it."""
    table: int
    seat: int | None
    """Whose peer, by place; None where it is nobody's in particular."""
    step: int
    at_ms: int
    text: str

    def __str__(self) -> str:
        """Say it in one line."""
        who = f", p{self.seat}" if self.seat is not None else ""
        where = f"table {self.table}{who}, step {self.step}, {self.at_ms} ms"
        return f"{self.promise} {self.check}: {self.text} ({where})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """A step that an honest peer has settled."""

    close: bytes
    round_index: int
    authors: frozenset[bytes]
    """Whose statements stand in it."""


class Judge:
    """Looks at one table."""

    def __init__(self, table: "Table") -> None:
        """Begin before the table has."""
        self.table = table
        self.world = table.world
        self.keys = [place.key.public_key().public_bytes_raw() for place in table.places]
        self.guilty = {self.keys[index] for index in table.tricks}
        count = len(table.places)
        self.ledger: dict[tuple[int, bytes], Closed] = {}
        """Every step that any honest peer has ever settled, by number and head: after a fork a step
        comes again, on another head."""
        self.left: set[int] = set()
        """Places of those who have left for good."""
        self.forked: int | None = None
        """At which step honest peers have settled two closes, with the help of a cheat."""
        self.proved: dict[int, set[bytes]] = {index: set() for index in range(count)}
        """Against whom each peer holds evidence."""
        self.goal = 0
        """The step that everybody has to come to after the healing."""
        self.gone: dict[int, int] = {}
        """When peers have gone, ms, by place."""
        self._settled = [-1] * count
        self._kept: list[set[bytes]] = [set() for _ in range(count)]
        self._said: list[dict[int, list[tuple[Signed, Statement | Try | Adopt]]]] = [
            {} for _ in range(count)
        ]
        self._checking: list[set[tuple[str, int, int]]] = [set() for _ in range(count)]
        self._secrets: dict[tuple[int, int], bytes] = {}
        self._nothing: dict[int, bytes] = {}
        self._looked = -1
        read = self.world.plan.read
        self._reader = Reader(count) if read else None

    # -- along the way -------------------------------------------------------------------------

    def restarted(self, index: int) -> None:
        """Forget what a peer knew that has been started again."""
        self._settled[index] = -1
        self._checking[index].clear()
        self.proved[index].clear()

    def expect_nothing(self, index: int, data: bytes | None) -> None:
        """Expect a peer to do nothing about some bytes; None: no more."""
        if data is None:
            self._nothing.pop(index, None)
        else:
            self._nothing[index] = data

    def handled(self, index: int, event: events.Event, effects: tuple[events.Effect, ...]) -> None:
        """Look at what a peer wants to do about an event."""
        if isinstance(event, events.Computed):
            self._checking[index].discard(event.job)
        if (
            self._nothing
            and isinstance(event, events.Received)
            and self._nothing.get(index) == event.data
        ):
            # What was due anyway is done at any event; a stranger's bytes must bring nothing else.
            odd = [
                e for e in effects if isinstance(e, events.Settled | events.Persist | events.Stop)
            ]
            if odd and index in self.table.honest:
                self._found("P6", "junk", index, f"a stranger's bytes brought {odd[0]!r:.80}")

    def effect(self, index: int, effect: events.Effect) -> None:
        """Look at an effect as it is carried out."""
        match effect:
            case events.Stop():
                self.gone[index] = self.world.now_ms
            case events.KeepSecret(round_index=number, data=data):
                self._secrets[number, index] = data
            case events.Persist(entries=entries):
                self._keeps(index, entries)
            case events.Compute(job=job, shared=shared) if job[0] == "check":
                if not self._is_cheats(index, shared):
                    self._checking[index].add(job)
            case _:
                pass
        if index in self.table.tricks:
            return
        match effect:
            case events.Publish(data=data):
                self._published(index, data)
            case events.Settled(certificate=certificate):
                self._settle(index, certificate)
            case events.Forked(step=step):
                self._forked(index, step)
            case events.Proved(evidence=evidence):
                self.proved[index].add(evidence.author)
                self._blamed(index, evidence.author, evidence.reason)
            case events.Notify(notice=notice):
                self.world.told[type(notice).__name__] += 1
            case events.Stop(reason=reason, exit_code=code):
                self._stopped(index, reason, code)
            case _:
                pass

    def looked(self, index: int) -> None:
        """Look at the state of a peer that has settled something new."""
        chain = self.table.places[index].peer.chain
        if chain is None or index in self.table.tricks or chain.open.step <= self._looked:
            return
        self._looked = chain.open.step
        for seat, why in chain.state.gone.items():
            if why == "expelled":
                self._blamed(index, self.table_key(chain.state, seat), "it is put out")
        self._cards(index, chain)
        if self._reader is not None:
            self._reader.read(self.table, self.table.honest)

    def _published(self, index: int, data: bytes) -> None:
        letter = self.table.reader.open(data)
        signed, message = letter.signed, letter.message()
        if b'"kind"' in data:
            self._found("P6", "sealed", index, "a message can be read without the ticket")
        if isinstance(message, Accuse) and message.items:
            self._blamed(index, message.items[0].author, message.reason)
        if isinstance(message, Statement | Try | Adopt):
            self._spoke(index, signed, message)

    def _keeps(self, index: int, entries: tuple[bytes, ...]) -> None:
        self._kept[index].update(entries)
        if index in self.table.tricks:
            return
        own = self.keys[index]
        for signed in (codec.unpack(entry) for entry in entries if own in entry[:40]):
            message = codec.decode(signed.payload)
            if not isinstance(message, Adopt) or message.attempt or signed.author != own:
                continue
            if any(job[1] == message.step for job in self._checking[index]):
                text = f"it adopted step {message.step} before it had checked"
                self._found("P4", "unchecked", index, text)

    def _is_cheats(self, index: int, statement: bytes | None) -> bool:
        """Say whether a statement is a cheat's: of two that it has said one is adopted, perhaps."""
        chain = self.table.places[index].peer.chain if self.guilty else None
        return chain is not None and any(
            held.signed.hash == statement and held.signed.author in self.guilty
            for seat in chain.open.active
            for held in chain.open.variants(seat)
        )

    def _spoke(self, index: int, signed: Signed, message: Statement | Try | Adopt) -> None:
        step = message.step
        if codec.pack(signed) not in self._kept[index]:
            self._found("P3", "kept", index, f"it said a word of step {step} before it was kept")
        if step > self._settled[index] + 1:
            self._found("P3", "unsettled", index, f"it spoke at step {step} before it was open")
        words = self._said[index].setdefault(step, [])
        for other, said in words:
            if other.hash != signed.hash and (reason := contradiction(said, message)):
                self._found("P4", "contradiction", index, f"it said {reason}")
        if any(other.hash == signed.hash for other, _ in words):
            return  # said again
        words.append((signed, message))

    def _settle(self, index: int, certificate: Certificate) -> None:
        step = certificate.step
        if step != self._settled[index] + 1:
            self._found("P3", "order", index, f"it settled step {step} out of order")
        self._settled[index] = step
        known = self.ledger.get((step, certificate.head))
        if known is None:
            chain = self.table.places[index].peer.chain
            self.ledger[step, certificate.head] = Closed(
                close=certificate.close,
                round_index=chain.state.round_index if chain is not None else 0,
                authors=frozenset(item.author for item in certificate.statements),
            )
        elif known.close != certificate.close and not self.guilty:
            self._found("P3", "agreement", index, f"it settled another close of step {step}")
        elif known.close != certificate.close:
            self.forked = step

    def _forked(self, index: int, step: int) -> None:
        """All from a step on is void for a peer: two closes of it have settled."""
        self.world.counts["forks"] += 1
        if not self.guilty:
            self._found("P3", "fork", index, f"step {step} is void, and nobody cheats")
        self._settled[index] = step - 1
        self._looked = min(self._looked, step)

    def _blamed(self, index: int, author: bytes, reason: str) -> None:
        if author not in self.guilty:
            who = self.keys.index(author) if author in self.keys else "a stranger"
            self._found("P4", "blame", index, f"it blames p{who}, who is honest: {reason}")

    def _stopped(self, index: int, reason: str, code: int) -> None:
        if code == 0:
            return
        silent = reason == SILENT_REASON and self.table.argument == "commit-reveal"
        if code == FAULT_EXIT_CODE and (self.proved[index] or silent):
            return
        self._found("P5", "stopped", index, f"it gave up: {reason} (exit {code})")

    # -- cards ---------------------------------------------------------------------------------

    def _cards(self, index: int, chain: Chain) -> None:
        """Open every card with all keys, and count: none is lost, and none is there twice."""
        state = chain.state
        if state.round is None or state.joint is None or not state.hands or self._may_stack():
            return
        keys = self._round_keys(state)
        lying = [*state.pile, *(p for pile in state.aside.values() for p in pile)]
        lying += [position for hand in state.hands.values() for position in hand]
        if len(set(lying)) < len(lying):
            self._found("P2", "cards", index, "a card lies in two places")
        found: Counter[str] = Counter(map(str, state.round.discards))
        for position in lying:
            masks = state.masks[position]
            if any(seat not in keys for seat in masks):
                return  # somebody's secret was never kept: it has no hand either
            card = state.cards[position]
            secret = sum(keys[seat] for seat in masks) % Q
            found[state.faces.find(sub(card.c2, mul(secret, card.c1))) or "no face"] += 1
        due = Counter(str(face) for face in state.deck_faces())
        if more := found - due:
            self._found("P2", "cards", index, f"too many of {dict(more)}")
        whole = state.plan.phase in {Phase.TURN, Phase.REACTION} and not (
            state.aside or state.away or state.gone or any(state.returns.values())
        )
        if whole and set(state.members) == set(state.seats) and (lost := due - found):
            self._found("P2", "cards", index, f"lost: {dict(lost)}")

    def _may_stack(self) -> bool:
        """Say whether a cheat may shuffle falsely, and be found out at the end of the round only."""
        return bool(self.guilty) and self.table.argument == "commit-reveal"

    def _round_keys(self, state: TableState) -> dict[int, int]:
        found: dict[int, int] = {}
        for seat in state.members:
            place = self.keys.index(self.table_key(state, seat))
            data = self._secrets.get((state.secret_index, place))
            if data is not None:
                keys = derive_round_keys(
                    data,
                    table_id=state.table.offer.table,
                    round_index=state.round_index,
                    seat=seat,
                )
                found[seat] = keys.secret.expose()
        return found

    @staticmethod
    def table_key(state: TableState, seat: int) -> bytes:
        """Return the key of a seat."""
        return state.table.keys[seat]

    # -- the healing, and the end --------------------------------------------------------------

    def healed(self, more: int) -> None:
        """Note from where everybody has to go on."""
        self.goal = max([self.table.top(), *(step for step, _ in self.ledger)]) + more

    def all_ended(self) -> bool:
        """Say whether every honest peer that runs has ended."""
        return all(
            self.table.places[index].stop is not None
            for index in self.table.honest
            if not self.table.machines[index].never
        )

    def _demanded(self) -> Iterable[int]:
        """Return the places of those who have to go on."""
        for index in self.table.honest:
            if index not in self.left and not self.table.machines[index].never:
                yield index

    def progress_is_due(self) -> bool:
        """Say whether those who are there are a majority of the table."""
        count = len(self.table.places)
        absent = self.world.plan.absent(self.table.number)
        return count - len(absent) >= majority(count)

    def is_well(self) -> bool:
        """Say whether everybody has gone on, and all know what one can prove."""
        return all(map(self._is_well, self._demanded())) and not self._unaware()

    def _is_well(self, index: int) -> bool:
        place = self.table.places[index]
        if place.stop is not None or self._is_left_behind():
            return True
        chain = place.peer.chain
        if chain is None or chain.open.step < self.goal:
            return False
        may_lack = {
            self.keys[other]
            for other in range(len(self.table.places))
            if other not in set(self._demanded()) or self.table.places[other].stop is not None
        }
        return all(self.table_key(chain.state, seat) in may_lack for seat in chain.state.away)

    def _is_left_behind(self) -> bool:
        """Say whether the match was over before those who are there could ask, and they are too few."""
        soon_ms = self.world.healed_ms + ANSWER_MS
        early = {place for place, gone_ms in self.gone.items() if gone_ms <= soon_ms}
        there = {place for place in self._demanded() if place not in early}
        over = any(self._has_ended(place) for place in early)
        return over and len(there) < majority(len(self.table.places))

    def _has_ended(self, index: int) -> bool:
        chain = self.table.places[index].peer.chain
        return chain is not None and chain.state.over

    def at_the_end(self) -> None:
        """Look at what has become of the table once all was healed."""
        if self.world.violations:
            return
        if self.progress_is_due() and not self.is_well():
            self._found("P5", "progress", None, self._standing())
            return
        self._heads()
        self._evidence()
        self._secrecy()
        if self.world.plan.audit:
            self._audit()

    def _standing(self) -> str:
        told = []
        for index, place in enumerate(self.table.places):
            chain, machine = place.peer.chain, self.table.machines[index]
            if place.stop is not None:
                told.append(f"p{index} ended")
            elif not machine.runs:
                told.append(f"p{index} is not there")
            elif chain is None:
                told.append(f"p{index} has no table")
            else:
                state = chain.state
                told.append(
                    f"p{index} at step {chain.open.step} {state.plan.phase} away {sorted(state.away)}"
                    f" gone {sorted(state.gone)} missing {sorted(chain.missing())}"
                )
        return f"the table does not come to step {self.goal}: " + "; ".join(told)

    def _heads(self) -> None:
        heads: dict[int, set[bytes]] = {}
        for index in self._demanded():
            chain = self.table.places[index].peer.chain
            if chain is not None:
                heads.setdefault(chain.state.step, set()).add(chain.state.head)
        split = [step for step, found in heads.items() if len(found) > 1]
        if split and not self.guilty:
            self._found("P3", "heads", None, f"different heads at step {split[0]}")

    def _evidence(self) -> None:
        for index in self._unaware():
            self._found("P4", "evidence", index, "it lacks evidence that others hold")
        known = set().union(*map(self._knows, self._demanded()))
        if self.forked is not None and not known:
            self._found(
                "P3", "fork", None, f"step {self.forked} has two closes, and nobody is named"
            )
        for place, trick in self.table.tricks.items():
            if trick.first_step is None:
                continue
            self.world.counts[Kind.CHEAT] += 1
            stands = [
                closed
                for (step, _), closed in self.ledger.items()
                if step == trick.first_step and self.keys[place] in closed.authors
            ]
            if stands and not trick.lawful and not known and self._is_due(stands[0]):
                self._found("P4", "through", place, "its false statement was settled as if true")

    def _unaware(self) -> list[int]:
        """Return the places of those who lack evidence that others hold."""
        held = {index: self._knows(index) for index in self._demanded()}
        known = set().union(*held.values())
        places = self.table.places
        return [
            index
            for index, knows in held.items()
            if knows != known and ((stop := places[index].stop) is None or stop.exit_code)
        ]

    def _knows(self, index: int) -> set[bytes]:
        """Return whom a peer can prove guilty: by evidence of its own, or by what its chain carries."""
        chain = self.table.places[index].peer.chain
        gone = chain.state.gone if chain is not None else {}
        expelled = {seat for seat, why in gone.items() if why == "expelled"}
        if chain is None:
            return self.proved[index]
        return self.proved[index] | {self.table_key(chain.state, seat) for seat in expelled}

    def _is_due(self, closed: Closed) -> bool:
        """Say whether a cheat has to be proved by now."""
        cheat = CHEATS[self.world.plan.cheats(self.table.number)[0].name]
        if self.table.argument == "proved" and cheat.family in AT_ONCE:
            return True
        alone = all(fault.kind is Kind.CHEAT for fault in self.world.plan.faults)
        rounds = [
            chain.state.round_index
            for index in self.table.honest
            if (chain := self.table.places[index].peer.chain) is not None
        ]
        over = max(rounds, default=0) > closed.round_index
        return alone and over and cheat.family != "agreement"

    def _secrecy(self) -> None:
        if self._reader is None:
            return
        chains = [place.peer.chain for place in self.table.places]
        cheats = {
            chain.seat
            for index, chain in enumerate(chains)
            if chain is not None and index in self.table.tricks
        }
        for coalition, learned in self._reader.learned.items():
            if learned.too_much and not cheats.intersection(coalition):
                who = " and ".join(f"seat {seat}" for seat in coalition) or "who only listens"
                text = f"{who} can open {learned.too_much} hidden cards"
                self._found("P1", "secrecy", None, text)

    def _audit(self) -> None:
        index = next(iter(self.table.honest))
        record = self.table.places[index].record
        if not record:
            return
        report = audit(record)
        self.world.counts["audited"] += 1
        fine = {Finding.COMPLETE, Finding.INCOMPLETE} | ({Finding.FAULT} if self.guilty else set())
        if report.finding not in fine:
            text = f"its record does not audit: {report.finding} {report.reason}"
            self._found("P4", "audit", index, text)

    def _found(self, promise: str, check: str, seat: int | None, text: str) -> None:
        chain = self.table.places[seat].peer.chain if seat is not None else None
        self.world.found(
            Violation(
                promise=promise,
                check=check,
                table=self.table.number,
                seat=seat,
                step=chain.open.step if chain is not None else self.table.top(),
                at_ms=self.world.now_ms,
                text=text[:600],
            )
        )
