"""The file of an unattended bot: what is refused before anything is done, and which brokers it uses."""

from pathlib import Path

import pytest

from unop2p.cli.bot_orders import read_orders
from unop2p.edge.errors import BrokerTLSError
from unop2p.errors import Unop2pError
from unop2p.wire.ticket import new_ticket

TICKET = new_ticket(lambda count: bytes(range(count)), ("mqtt://127.0.0.1:9",))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNOP2P_HOME", str(tmp_path / "home"))


def written(folder: Path, text: str) -> Path:
    path = folder / "bot.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "text",
    [
        'tickets = ["no ticket"]',
        f'tickets = ["{TICKET.text()}"]\n[[seat]]\nlevel = "genius"',
        f'tickets = ["{TICKET.text()}"]\n[accept]\npresets = ["martian"]',
        '[broker]\nurl = ["ftp://h"]\n[lounge]\nname = "x"',
        '[broker]\nurl = ["mqtt://h"]\n[host]\nseats = 4\nrules = "martian"',
        '[broker]\nurl = ["mqtt://h"]\n[host]\nseats = 4\nset = ["target"]',
        '[broker]\nurl = ["mqtt://h"]\n[lounge]\nname = "x"\npassword_file = "/nowhere"',
        f'tickets = ["{TICKET.text()}"]\npace = "99999"',
        f'tickets = ["{TICKET.text()}"]\n[accept]\nmay_differ = ["targett"]',
        f'tickets = ["{TICKET.text()}"]\n[accept.options]\ntargett = [200]',
    ],
)
def test_what_the_file_names_is_checked_before_anything_is_done(tmp_path: Path, text: str) -> None:
    with pytest.raises(Unop2pError) as caught:
        read_orders(written(tmp_path, text))
    assert caught.value.exit_code == 2
    assert TICKET.words() not in caught.value.sentence()


def test_certificate_files_are_read_before_anything_is_done(tmp_path: Path) -> None:
    text = '[broker]\nurl = ["mqtts://h"]\nca_file = "/nowhere.pem"\n[lounge]\nname = "x"'
    with pytest.raises(BrokerTLSError, match="nowhere.pem"):
        read_orders(written(tmp_path, text))


def test_orders_show_no_ticket(tmp_path: Path) -> None:
    orders = read_orders(written(tmp_path, f'tickets = ["{TICKET.text()}"]'))
    assert orders.tickets == (TICKET,)
    assert TICKET.words() not in repr(orders)


def test_the_password_of_the_file_is_for_its_own_brokers_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("secret")
    text = (
        f'[broker]\nurl = ["mqtt://ann@127.0.0.1:9"]\npassword_file = "{tmp_path / "password"}"\n'
        '[lounge]\nname = "x"'
    )
    orders = read_orders(written(tmp_path, text))
    known, strange = orders.brokers(
        new_ticket(lambda count: bytes(count), ("mqtt://127.0.0.1:9", "mqtt://ann@127.0.0.1:10"))
    )
    assert (known.user, known.password) == ("ann", "secret")
    assert (strange.user, strange.password) == ("ann", None)
