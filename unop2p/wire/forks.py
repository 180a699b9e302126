"""Two settled closes of one step, judged by whoever is shown them: peers, spectators, the audit.

A close that holds a statement which is wrong by itself has not settled, whoever adopted it. What makes
two closes settle is a contradiction of at least one seat that stands in both, and its author is guilty.
"""

from collections.abc import Iterable
from itertools import combinations

from unop2p.errors import RemoteError
from unop2p.ids import Seat
from unop2p.log import closing
from unop2p.log.evidence import Evidence, contradiction
from unop2p.log.messages import Adopt, Signed, Statement, Try
from unop2p.log.steps import OpenStep
from unop2p.table import bodies
from unop2p.table.checks import Said, check_for
from unop2p.table.riders import Guilt
from unop2p.table.state import TableState
from unop2p.table.voids import Void
from unop2p.wire import codec
from unop2p.wire.proofs import Past, check_riders

Word = Statement | Try | Adopt


def step_of(state: TableState) -> OpenStep:
    """Return the step before which a state stands, with nothing said in it."""
    return OpenStep(
        step=state.step, head=state.head, active=state.active, voters=state.voters, opened_ms=0
    )


def read_word(signed: Signed) -> Word | None:
    """Return what a signed message says in the chain; None for anything else."""
    message = codec.decode(signed.payload)
    return message if isinstance(message, Word) else None


def place(step: OpenStep, keys: tuple[bytes, ...], items: Iterable[tuple[Signed, Word]]) -> bool:
    """Put words of a step into their places; say whether any was news."""
    news = False
    for signed, word in items:
        if signed.author not in keys or (word.step, word.head) != (step.step, step.head):
            continue
        seat = Seat(keys.index(signed.author))
        if isinstance(word, Statement):
            placed = step.place_statement(seat, signed, word)
        else:
            placed = step.place_vote(seat, signed, word)
        news |= placed is not False
    return news


def contradictions(step: OpenStep, table_keys: tuple[bytes, ...]) -> tuple[Evidence, ...]:
    """Return of each seat that has contradicted itself in a step the first proof, by rising seat."""
    words: dict[bytes, list[tuple[Signed, Word]]] = {}
    for seat in step.active:
        for held in step.variants(seat):
            words.setdefault(held.signed.author, []).append((held.signed, held.statement))
    for seat in step.voters:
        for signed, vote in step.votes.get(seat, ()):
            words.setdefault(signed.author, []).append((signed, vote))
    found = []
    for author in sorted(words, key=table_keys.index):
        for (first, one), (second, other) in combinations(words[author], 2):
            reason = contradiction(one, other)
            if reason is not None:
                found.append(
                    Evidence(author=author, step=step.step, reason=reason, items=(first, second))
                )
                break
    return tuple(found)


def judge_fork(
    state: TableState, step: OpenStep, past: Past, *, trusted: bool
) -> tuple[Void, tuple[Evidence, ...]] | None:
    """Say whether two closes of a step have settled, and through whom.

    Args:
        state: of the table before the step.
        step: what is held of it; all signatures hold.
        past: the states of earlier steps.
        trusted: the statements were checked before.

    Returns:
        The fork, with the evidence against each guilty seat; None where there is none.
    """

    def fine(chosen: closing.Chosen) -> bool:
        return trusted or _is_sound(state, chosen, past)

    if not step.irregular or len(closing.certificates(step, fine)) < 2:
        return None
    evidence = contradictions(step, state.table.keys)
    guilty = tuple(
        Guilt(seat=Seat(state.table.keys.index(one.author)), step=step.step, reason=one.reason)
        for one in evidence
    )
    if not guilty:
        return None
    return Void(step=step.step, base=step.head, guilty=guilty), evidence


def _is_sound(state: TableState, chosen: closing.Chosen, past: Past) -> bool:
    """Say whether everything in a close holds; what builds on what is left out needs no check."""
    said: dict[Seat, Said] = {}
    for seat, held in chosen.items():
        if not isinstance(held.statement.body, bodies.Body):
            return False
        said[seat] = Said(hash=held.signed.hash, body=held.statement.body)
    hashes = {one.hash for one in said.values()}
    for seat, held in chosen.items():
        body = held.statement.body
        if held.checked:
            continue
        if held.wrong:
            return False
        if isinstance(body, bodies.Shuffled) and body.base not in {state.head, *hashes}:
            continue
        try:
            check = check_for(state, seat, said, trusted=False)
            if check is None:
                return False
            if callable(check):
                check()
            check_riders(state, seat, held.statement, past, trusted=False)
        except RemoteError:
            return False
    return True
