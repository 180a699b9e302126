"""What stand-in costs a seat: a key shared out, and the shares of the others looked at."""

import secrets
from collections.abc import Callable

from unop2p.deal.group import decode_point
from unop2p.deal.keys import derive_round_keys
from unop2p.deal.sealed import Route, open_share, read_sealed, seal_shares
from unop2p.deal.standin import derive_sharing
from unop2p.deal.transcript import ProofContext

TABLE = bytes(16)


def sharing(seats: int, threshold: int) -> tuple[Callable[[], object], Callable[[], object]]:
    """Return what a seat does in the share step, and what it does with what it got there.

    Args:
        seats: of the round.
        threshold: how many act for another.
    """
    context = ProofContext(
        table_id=TABLE, round_index=0, step=2, head=bytes(32), author=bytes(32), joint_key=b""
    )
    raw = [secrets.token_bytes(32) for _ in range(seats)]
    keys = [
        derive_round_keys(
            raw[seat], table_id=TABLE, round_index=0, seat=seat, threshold=threshold, seats=seats
        )
        for seat in range(seats)
    ]
    boxes = {seat: decode_point(key.box_public) for seat, key in enumerate(keys)}

    def others(seat: int) -> list[int]:
        return [other for other in range(seats) if other != seat]

    def give(seat: int = 0) -> tuple[bytes, bytes, bytes]:
        made = derive_sharing(
            keys[seat].secret, raw[seat], place=(TABLE,), threshold=threshold, seats=seats
        )
        to = {other: boxes[other] for other in others(seat)}
        return seal_shares(context, seat, made, to, secrets.token_bytes)

    said = {}
    for dealer in others(0):
        known = keys[dealer].sharing
        assert known is not None
        to = {other: boxes[other] for other in others(dealer)}
        said[dealer] = seal_shares(context, dealer, known, to, secrets.token_bytes), known

    def take() -> None:
        for dealer, (words, known) in said.items():
            sealed = read_sealed(context, *words, others(dealer))
            route = Route(table_id=TABLE, round_index=0, dealer=dealer, seat=0)
            open_share(sealed, route, known.commitments, keys[0].box_secret)

    return give, take
