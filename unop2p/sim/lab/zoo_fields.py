"""Bad encodings in every field that comes from outside: no points, second forms, large scalars."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from unop2p.deal.group import Q
from unop2p.peer.chain import Chain
from unop2p.sim.lab.cheats import Cheat, Needs, Promise
from unop2p.sim.lab.stack import ANSWERS
from unop2p.sim.lab.trick import CheatChain, Trick
from unop2p.table import bodies
from unop2p.table.phases import Phase

Spoil = Callable[[bytes], bytes]
SIZE = 32
FIELD_PRIME = 2**255 - 19


def _identity(_old: bytes) -> bytes:
    return bytes(SIZE)


def _over_prime(_old: bytes) -> bytes:
    # A field element that is not reduced: read carelessly it is 2, and 2 is a valid form of a point.
    return (FIELD_PRIME + 2).to_bytes(SIZE, "little")


def _high_bit(old: bytes) -> bytes:
    return old[:-1] + bytes([old[-1] | 128])


def _negative(_old: bytes) -> bytes:
    # RFC 9496 appendix A.2: a negative field element is no encoding.
    return (FIELD_PRIME - 2).to_bytes(SIZE, "little")


def _add_order(old: bytes) -> bytes:
    return (int.from_bytes(old, "little") + Q).to_bytes(SIZE, "little")


POINTS: dict[str, tuple[str, Spoil]] = {
    "identity": ("is the identity", _identity),
    "unreduced-point": ("is a field element above the prime", _over_prime),
    "high-bit": ("has bit 255 set", _high_bit),
    "no-point": ("is no point of the group", _negative),
}
SCALARS: dict[str, tuple[str, Spoil]] = {
    "large-scalar": ("has the order of the group added", _add_order),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Where in a body 32 bytes stand."""

    name: str
    body: type[bodies.Body]
    part: str
    """Which bytes of the body: an attribute, or of the first part of a shuffle."""
    at: Callable[[bytes], int]
    """Where they begin, given all the bytes of that part."""
    is_point: bool


def _fixed(start: int) -> Callable[[bytes], int]:
    return lambda _data: start


def _from_end(back: int) -> Callable[[bytes], int]:
    return lambda data: len(data) - back


def _in_proof(points: int, scalars: int) -> Callable[[bytes], int]:
    """Return where a field of a shuffle proof begins: after so many times N points, and scalars."""

    def start(data: bytes) -> int:
        count = (len(data) // SIZE - 5) // 4  # a proof has 4N + 5 fields
        return SIZE * (points * count + scalars)

    return start


def _point(name: str, body: type[bodies.Body], part: str, at: Callable[[bytes], int]) -> Field:
    return Field(name=name, body=body, part=part, at=at, is_point=True)


def _scalar(name: str, body: type[bodies.Body], part: str, at: Callable[[bytes], int]) -> Field:
    return Field(name=name, body=body, part=part, at=at, is_point=False)


FIELDS = (
    _point("commit-seed", bodies.Commit, "shuffle_seed", _fixed(0)),
    _scalar("shown-seed", bodies.ShownSeed, "seed", _fixed(0)),
    _point("reveal-key", bodies.Reveal, "key", _fixed(0)),
    _scalar("reveal-challenge", bodies.Reveal, "proof", _fixed(0)),
    _scalar("reveal-response", bodies.Reveal, "proof", _fixed(SIZE)),
    _point("shuffle-c1", bodies.Shuffled, "cards", _fixed(0)),
    _point("shuffle-c2", bodies.Shuffled, "cards", _fixed(SIZE)),
    _point("shuffle-commitment", bodies.Shuffled, "proof", _in_proof(0, 0)),
    _point("shuffle-chain", bodies.Shuffled, "proof", _in_proof(1, 0)),
    _scalar("shuffle-challenge", bodies.Shuffled, "proof", _in_proof(2, 0)),
    *(
        _scalar(f"shuffle-s{number}", bodies.Shuffled, "proof", _in_proof(2, number))
        for number in range(1, 5)
    ),
    _scalar("shuffle-s-hat", bodies.Shuffled, "proof", _in_proof(2, 5)),
    _scalar("shuffle-s-prime", bodies.Shuffled, "proof", _in_proof(3, 5)),
    *(
        field
        for name, body, part in (
            ("shares", bodies.Shares, "data"),
            ("play", bodies.Played, "opening"),
            ("guilty", bodies.Guilty, "opening"),
            ("hand", bodies.OpenedHand, "opening"),
        )
        for field in (
            _point(f"{name}-share", body, part, _fixed(0)),
            _scalar(f"{name}-challenge", body, part, _from_end(2 * SIZE)),
            _scalar(f"{name}-response", body, part, _from_end(SIZE)),
        )
    ),
    _scalar("innocent-challenge", bodies.Innocent, "proof", _fixed(0)),
    _scalar("innocent-response", bodies.Innocent, "proof", _fixed(SIZE)),
)
"""Every field that is read as a point or a scalar; of lists the first."""


class BadField(Trick):
    """Spoils one field of the first body that has it."""

    def __init__(self, field: Field, spoil: Spoil) -> None:
        self.stacked = ANSWERS.get(field.body, "")
        self.field = field
        self.spoil = spoil

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body:
        """Put other bytes into the field."""
        if self.first_step is not None or not isinstance(body, self.field.body):
            return body
        if isinstance(body, bodies.Shuffled):
            part = body.parts[0]
            if not part.proof and self.field.part == "proof":
                return body
        self.tried(chain)
        if isinstance(body, bodies.Shuffled):
            part = body.parts[0]
            data = self._spoiled(getattr(part, self.field.part))
            changed = replace(part, **{self.field.part: data})
            return replace(body, parts=(changed, *body.parts[1:]))
        data = self._spoiled(getattr(body, self.field.part))
        spoiled: bodies.Body = replace(body, **{self.field.part: data})  # type: ignore[arg-type]
        return spoiled

    def _spoiled(self, data: bytes) -> bytes:
        start = self.field.at(data)
        return data[:start] + self.spoil(data[start : start + SIZE]) + data[start + SIZE :]

    def is_lost(self, chain: Chain) -> bool:
        """See whether the hands are opened, and a challenge was what it waited for."""
        if self.field.body is bodies.ShownSeed or self.field.part == "shuffle_seed":
            return not chain.state.replayed
        early = self.field.body in {bodies.Guilty, bodies.Innocent}
        return early and chain.state.plan.phase is Phase.HANDS


def _needs(field: Field) -> Needs:
    if field.part == "shuffle_seed" or field.body is bodies.ShownSeed:
        return "replay"
    return "proof" if field.body is bodies.Shuffled and field.part == "proof" else ""


def _cheat(field: Field, what: str, sentence: str, spoil: Spoil) -> Cheat:
    return Cheat(
        name=f"{what}-in-{field.name}",
        family="fields",
        sentence=f"The {field.name.replace('-', ' ')} {sentence}.",
        attacks=Promise.AGREEMENT,
        make=lambda: BadField(field, spoil),
        # What a point is changed to is hashed into its proof, which does not fit it any more.
        stopped_by=() if field.is_point else ("scalar-range",),
        needs=_needs(field),
    )


CHEATS = tuple(
    _cheat(field, what, sentence, spoil)
    for field in FIELDS
    for what, (sentence, spoil) in (POINTS if field.is_point else SCALARS).items()
)
