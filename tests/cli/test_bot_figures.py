"""What an unattended bot tells Prometheus, and that the reference names all of it."""

from pathlib import Path

from unop2p.cli.bot_figures import figures
from unop2p.edge.link_state import LinkStatistics
from unop2p.edge.meter import Meter
from unop2p.edge.metrics import exposition
from unop2p.peer.gossip import Repairs

ROOT = Path(__file__).parents[2]


def test_what_was_counted_is_told() -> None:
    meter = Meter()
    meter.measured("check", lambda: None)()
    meter.begin(lambda: LinkStatistics(sent_count=7, reconnected_count=2), Repairs(mended=3))
    text = exposition(figures(meter, [], [], (5, 1)))
    for line in (
        'unop2p_tables{state="playing"} 0',
        'unop2p_proofs_total{kind="check"} 1',
        'unop2p_messages_total{kind="sent"} 7',
        'unop2p_messages_total{kind="mended"} 3',
        "unop2p_reconnects_total 2",
        "unop2p_rounds_total 5",
        "unop2p_matches_total 1",
        "unop2p_step_seconds_count 0",
    ):
        assert f"{line}\n" in text


def test_the_reference_names_every_figure() -> None:
    page = (ROOT / "docs" / "reference" / "bot-file.md").read_text(encoding="utf-8")
    for metric in figures(Meter(), [], [], (0, 0)):
        assert f"`{metric.name}`" in page, metric.name
