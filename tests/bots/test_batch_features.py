"""Features of many moves at once; that they are those of a view is in `test_batch.py`."""

import numpy as np

from unop2p.bots import layout
from unop2p.bots.batch import Tables
from unop2p.bots.batch_features import describe


def test_each_move_is_told_as_if_it_were_alone() -> None:
    rng = np.random.default_rng(3)
    tables = Tables(50, 4, rng)
    for _ in range(30):
        legal = tables.legal()
        tables.step((rng.random(legal.shape) * legal).argmax(axis=1))
        tables.deal()
    rows, moves = np.nonzero(tables.legal())
    together = describe(tables, rows, moves)
    assert together.shape == (len(rows), layout.SIZE)
    for place in range(0, len(rows), 7):
        alone = describe(tables, rows[place : place + 1], moves[place : place + 1])
        assert np.allclose(together[place], alone[0])


def test_no_move_at_all_is_told_as_nothing() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    tables = Tables(2, 2, np.random.default_rng(1))
    assert describe(tables, nothing, nothing).shape == (0, layout.SIZE)
