"""Moves that a rule on hidden cards forbids: by a program that leaves its own refusal out.

With `hidden_checks = audit` the move passes until the hands are opened, and is proved then; with
`proved` it would have to carry a proof that nobody can make, and is refused at once.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from unop2p.peer.chain import Chain
from unop2p.rules.cards import Color, Face
from unop2p.sim.lab.cheats import Cheat, Promise
from unop2p.sim.lab.trick import CheatChain, Trick, speaks_in
from unop2p.sim.lab.zoo_play import secrets_of
from unop2p.table import bodies
from unop2p.table.checks import opening_task
from unop2p.table.phases import Phase

Choose = Callable[[CheatChain], bodies.Body | None]
"""Returns the unlawful move, or None where it would not be one yet."""


class HiddenMove(Trick):
    """Makes one unlawful move when it can, and is lawful before and after."""

    def __init__(
        self, hand: str, options: Mapping[str, object], checks: str, choose: Choose
    ) -> None:
        self.stacked = hand
        self.options = {**options, "hidden_checks": checks}  # type: ignore[misc]  # of this run
        self.choose = choose

    def body(self, chain: CheatChain, body: bodies.Body) -> bodies.Body:
        """Say it in place of the lawful move."""
        if self.first_step is not None or not speaks_in(chain, Phase.TURN):
            return body
        assert chain.seat is not None
        chosen = self.choose(chain)
        if chosen is None:
            return body
        self.tried(chain)
        if not isinstance(chosen, bodies.Played):
            return chosen
        # The opening is true; there is no true proof of what the move claims, so none is made.
        task = opening_task(chain.state, chain.seat, chosen.positions)
        secrets = secrets_of(chain)
        return replace(chosen, opening=task.make(secrets.keys, secrets.seed))

    def is_lost(self, chain: Chain) -> bool:
        """See whether the round is over."""
        return chain.state.plan.phase is Phase.HANDS


def play_wild(face: str) -> Choose:
    """Play a wild card although another card fits."""

    def choose(chain: CheatChain) -> bodies.Body | None:
        assert chain.own is not None
        assert chain.state.round is not None
        held = chain.own.faces
        fits = any(not f.is_wild and chain.state.round.matches(f) for f in held.values())
        wild = next((position for position, f in held.items() if f == Face(face)), None)
        if wild is None or not fits or chain.state.drawn is not None:
            return None
        return bodies.Played(cards=(Face(face),), positions=(wild,), opening=b"", color=Color.RED)

    return choose


def draw(chain: CheatChain) -> bodies.Body | None:
    """Draw although a card fits."""
    assert chain.own is not None
    assert chain.state.round is not None
    fits = any(chain.state.round.matches(face) for face in chain.own.faces.values())
    return bodies.Drew() if fits and chain.state.drawn is None else None


def keep(chain: CheatChain) -> bodies.Body | None:
    """Keep the drawn card although it fits."""
    return bodies.Kept() if _drawn_fits(chain) is True else None


def draw_on(chain: CheatChain) -> bodies.Body | None:
    """Draw on although the drawn card fits."""
    return bodies.Drew() if _drawn_fits(chain) is True else None


def stop(chain: CheatChain) -> bodies.Body | None:
    """Pass although the drawn card does not fit."""
    return bodies.Kept() if _drawn_fits(chain) is False else None


def _drawn_fits(chain: CheatChain) -> bool | None:
    assert chain.own is not None
    assert chain.state.round is not None
    if chain.state.drawn is None:
        return None
    face = chain.own.faces[chain.state.drawn]
    return not face.is_wild and chain.state.round.matches(face)


KINDS: tuple[tuple[str, str, str, Mapping[str, object], Choose], ...] = (
    (
        "wild",
        "A Wild is played by who holds a card that fits",
        "wild",
        {"wild_condition": "no_colored_match"},
        play_wild("W"),
    ),
    (
        "wild-draw-four",
        "A Wild Draw Four that cannot be challenged is played by who holds the color",
        "guilty",
        {"wd4_challenge": "off"},
        play_wild("W4"),
    ),
    (
        "draw",
        "A seat draws though it holds a card that fits",
        "red",
        {"voluntary_draw": False},
        draw,
    ),
    (
        "keep",
        "A seat keeps a drawn card that has to be played",
        "nothing fits",
        {"drawn_card": "must_play"},
        keep,
    ),
    (
        "draw-on",
        "A seat draws on though the drawn card fits",
        "nothing fits",
        {"draw_until_playable": True},
        draw_on,
    ),
    (
        "stop",
        "A seat stops drawing before a card fits",
        "nothing, and nothing drawn",
        {"draw_until_playable": True},
        stop,
    ),
)


def _cheat(
    name: str,
    sentence: str,
    hand: str,
    options: Mapping[str, object],
    choose: Choose,
    checks: str,
) -> Cheat:
    return Cheat(
        name=f"hidden-{name}-{checks}",
        family="hidden",
        sentence=f"{sentence}, with `hidden_checks={checks}`.",
        attacks=Promise.BLAME,
        make=lambda: HiddenMove(hand, options, checks, choose),
        stopped_by=("hindsight",) if checks == "audit" else ("claim-proofs",),
    )


CHEATS = tuple(_cheat(*kind, checks) for checks in ("audit", "proved") for kind in KINDS)
