"""What somebody sends as evidence, taken apart: it proves something, or is judged as words that came."""

from unop2p.log.evidence import Evidence, contradiction
from unop2p.log.messages import Adopt, Signed, Statement, Try
from unop2p.table.genesis import Table
from unop2p.table.talk import Accuse
from unop2p.wire import codec
from unop2p.wire.proofs import Past, judge

Word = Statement | Try | Adopt


def read_accusation(
    table: Table, accusation: Accuse, past: Past
) -> Evidence | tuple[tuple[Signed, Word], ...]:
    """Check evidence that somebody has sent.

    Returns:
        What it proves: a contradiction, or an adopt of a close with a wrong statement in it. Else words
        that are to be judged as if each came by itself: a statement that is wrong, for a shuffle with the
        one that it builds on. Nothing where it is neither.

    Raises:
        RemoteError: it does not hold.
    """
    items = accusation.items
    said: list[Word] = []
    for item in items:
        message = codec.decode(item.payload)
        if not isinstance(message, Word) or message.table != table.offer.table:
            return ()
        codec.verify(item)
        said.append(message)
    if not said or any(item.author not in table.keys for item in items):
        return ()
    author, step = items[0].author, said[0].step
    alone = all(item.author == author for item in items)
    reason: str | None = contradiction(said[0], said[1]) if alone and len(said) == 2 else None
    if accusation.close:
        guilt = judge(table, step, items, past, accusation.close)
        reason = guilt.reason if guilt is not None else None
    if reason is not None:
        return Evidence(
            author=author, step=step, reason=reason, items=items, close=accusation.close
        )
    if accusation.close or (alone and len(said) > 1):
        return ()
    # A statement, or a shuffle and the one that it builds on.
    return tuple(zip(items, said, strict=True))
