"""A table over two bridged Mosquittos, whose bridge is cut in mid round and comes back."""

import re
import subprocess
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.e2e.spread import NAMES, play_spread
from tests.edge.network import blocks, needs, own_network, shell

pytestmark = [pytest.mark.slow, pytest.mark.broker, pytest.mark.timeout(600)]
CUT_S = 3
_CUT = """
table inet cut {
  chain input {
    type filter hook input priority 0; policy accept;
    tcp dport 1885 counter reject with tcp reset
    tcp sport 1885 counter reject with tcp reset
  }
}
"""


def test_a_table_over_a_bridge_waits_while_it_is_cut_and_goes_on_after(tmp_path: Path) -> None:
    needs("mosquitto", "mosquitto")
    needs("nft", "nftables")

    def sizes() -> list[int]:
        return [(tmp_path / f"{name}.jsonl").stat().st_size for name in NAMES]

    def cut() -> None:
        subprocess.run(["nft", "-f", "-"], input=_CUT.encode(), check=True)
        # What was under way is done, and then all wait: two seats do not hear the other two.
        before, since = sizes(), monotonic()
        while monotonic() - since < CUT_S:
            sleep(0.1)
            if sizes() != before:
                before, since = sizes(), monotonic()
        listed = subprocess.run(["nft", "list", "ruleset"], check=True, capture_output=True)
        assert re.search(rb"packets [1-9]", listed.stdout)
        subprocess.run(["nft", "delete", "table", "inet", "cut"], check=True)

    with own_network(1883, 1884, 1885, outside=True), shell() as opened:
        first, second = blocks("Two bridged brokers")
        opened.serve(first, 1883)
        opened.serve(second, 1884)
        one, two = (("mqtt://127.0.0.1:1883",), ("mqtt://127.0.0.1:1884",))
        play_spread(tmp_path, [one, two, one, two], meanwhile=cut)
