"""Where features stand: each number has one place."""

from unop2p.bots import layout

LENGTHS = {
    "CARDS": 52,
    "WILDS": 4,
    "COLORS": 4,
    "VOIDS": 4,
    "HELD": 8,
    "HELD_COUNT": 1,
    "POINTS": 1,
    "TOP": 14,
    "FOLLOW": 1,
    "LINKS": 1,
    "TYPE": layout.TYPES,
    "BLUFF": 1,
    "AGAIN": 1,
    "RIVALS": 3 * layout.RIVAL_SIZE,
    "LEAST": 1,
    "MEAN": 1,
    "BEFORE": 1,
    "UNSEEN": 4,
    "UNSEEN_WILDS": 4,
    "UNSEEN_LINKS": 1,
    "PILE": 1,
    "STUCK": 1,
    "PRIOR": 1,
    "ACCUSED": 1,
    "ACCUSED_DRY": 1,
    "GUILT": 1,
    "TABLE": 4,
}


def test_features_lie_one_after_another_without_a_gap() -> None:
    at = 0
    for name, length in LENGTHS.items():
        assert getattr(layout, name) == at, name
        at += length
    assert at == layout.SIZE
