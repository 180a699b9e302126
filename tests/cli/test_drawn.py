"""A secret that is stretched while the program is loaded."""

from unop2p.cli.drawn import DrawnSecret
from unop2p.wire.ticket import parse_ticket, stretch


def test_what_is_stretched_early_is_what_the_ticket_stretches_to() -> None:
    drawn = DrawnSecret()
    ticket = drawn.ticket(("mqtt://127.0.0.1:1883",))
    assert parse_ticket(ticket.text()) == ticket
    assert drawn.table.result(timeout=60) == stretch(ticket)


def test_each_secret_is_another_and_is_not_shown() -> None:
    first, second = DrawnSecret(), DrawnSecret()
    one, other = first.ticket(("mqtt://a",)), second.ticket(("mqtt://a",))
    assert one != other
    assert repr(first) == "DrawnSecret(…)"
    first.table.result(timeout=60)
    second.table.result(timeout=60)
