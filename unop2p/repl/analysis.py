"""What a level would have played in a record, move by move of one seat, and what it expected. Pure.

Only what the seat saw is used: the table as it stood, and its own cards, known in hindsight.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from unop2p.bots.base import Randomness
from unop2p.bots.hint import Adviser, same_but_for_the_call
from unop2p.ids import Seat
from unop2p.repl.paint import Paint
from unop2p.repl.replay import Replay
from unop2p.rules.due import ReactionDue
from unop2p.rules.moves import Move, move_text
from unop2p.rules.view import PlayerView
from unop2p.words import Words

SHOWN_POINTS: Final = 0.05
"""A smaller loss is none: it would be shown as 0.0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One move of the seat, beside the level's."""

    round_number: int
    step: int
    move: Move
    better: Move
    """What the level would have played."""
    lost: float
    """Points by which the network expects more of the level's move; below 0 it expects less."""

    @property
    def same(self) -> bool:
        """Whether the level would have done the same."""
        return same_but_for_the_call(self.move, self.better)


def judge(replay: Replay, seat: Seat, adviser: Adviser, rng: Randomness) -> Iterator[Judged | None]:
    """Yield each decision of a seat in its own turns, or None for one whose cards were never opened.

    Args:
        replay: the record.
        seat: whose moves.
        adviser: the level.
        rng: its chance.
    """
    for place, frame in enumerate(replay.frames[1:]):
        before = replay.frames[place]
        for who, move in frame.moves:
            if who != seat or before.view.round is None or before.view.match is None:
                continue
            if isinstance(before.view.round.due, ReactionDue):
                continue
            seen = replay.seen_by(place, seat)
            card = before.drawn
            drawn = replay.faces.get((before.cards_of, card)) if card is not None else None
            if seen.unknown or (card is not None and drawn is None):
                yield None
                continue
            view = PlayerView(
                round=before.view.round,
                match=before.view.match,
                seat=seat,
                hand=seen.view.hand,
                drawn=drawn,
            )
            legal = view.legal()
            if len(legal) > 1 and move in legal:
                yield _judged(
                    view, legal, move, adviser, rng, (before.view.round_number, frame.step)
                )


def _judged(  # what a decision is
    view: PlayerView,
    legal: tuple[Move, ...],
    move: Move,
    adviser: Adviser,
    rng: Randomness,
    at: tuple[int, int],
) -> Judged:
    better = adviser.bot.choose(view, legal, rng)
    assert better is not None  # only in reactions may a bot say nothing
    worth, best = adviser.values(view, [move, better])
    lost = 0.0 if same_but_for_the_call(move, better) else best - worth
    return Judged(round_number=at[0], step=at[1], move=move, better=better, lost=lost)


def analysis_lines(
    judged: Sequence[Judged | None], names: Sequence[str], level: str, paint: Paint
) -> list[str]:
    """Return where the level would have played otherwise, and what it comes to.

    Args:
        judged: each decision.
        names: of the seats.
        level: which was asked.
        paint: language and colors.
    """
    words = paint.words
    known = [item for item in judged if item is not None]
    lines = [words.say("What `{level}` would have played (a hint, no truth):", level=level)]
    lines += [f"  {_line(item, names, words)}" for item in known if not item.same]
    if len(known) < len(judged):
        count = len(judged) - len(known)
        lines.append(
            words.say_n(
                "{n} decision is left out: its cards were never opened.",
                "{n} decisions are left out: their cards were never opened.",
                count,
            )
        )
    return [*lines, *_summary(known, level, words)]


def _line(item: Judged, names: Sequence[str], words: Words) -> str:
    played, better = (move_text(move, names).lower() for move in (item.move, item.better))
    told = words.say(
        "Round {round}, step {step}: `{played}`, where it plays `{better}`",
        round=item.round_number,
        step=item.step,
        played=played,
        better=better,
    )
    if abs(item.lost) < SHOWN_POINTS:
        return f"{told}."
    return words.say("{told}: {points} points.", told=told, points=f"{-item.lost:+.1f}")


def _summary(known: Sequence[Judged], level: str, words: Words) -> list[str]:
    if not known:
        return [words.say("There was nothing to decide.")]
    same = sum(item.same for item in known)
    lost = sum(item.lost for item in known)
    lines = [
        words.say_n(
            "{n} decision, {same} as `{level}`; {points} points by the forecasts of `net`.",
            "{n} decisions, {same} as `{level}`; {points} points by the forecasts of `net`.",
            len(known),
            same=same,
            level=level,
            points=f"{-lost:+.1f}",
        )
    ]
    worst = max(known, key=lambda item: item.lost)
    if worst.lost >= SHOWN_POINTS:
        lines.append(
            words.say(
                "The dearest: round {round}, step {step}.",
                round=worst.round_number,
                step=worst.step,
            )
        )
    return lines
