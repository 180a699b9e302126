"""Bots that run by themselves: they find each other in a lounge, play, are restarted, and go on."""

import contextlib
import os
import signal
import socket
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.e2e.unattended import bots
from tests.edge.support import free_port
from tests.edge.test_metrics import samples

pytestmark = [pytest.mark.broker, pytest.mark.slow]


def test_two_processes_play_match_after_match_and_one_is_restarted_in_the_middle(
    tmp_path: Path,
) -> None:
    with bots(tmp_path, 2, host='set = ["target=1"]') as table:
        table.begin_all()
        table.wait(lambda: table.count("bot1", "began") == 1, "the first match")
        table.programs["bot1"].send_signal(signal.SIGTERM)
        assert table.programs["bot1"].wait(30) == 0
        left = [line["event"] for line in table.told("bot1")]
        assert left[-2:] == ["ends", "ended"]
        assert "match" not in left, "it was to be restarted in the middle"
        table.begin("bot1")
        table.wait(lambda: table.count("bot0", "match") >= 2, "two matches")
        table.wait(lambda: table.count("bot1", "match") >= 2, "two matches")
        told = table.told("bot1")
        again = [line["event"] for line in told][len(left) :]
        assert again.index("resumed") < again.index("match")
        assert "found" not in again[: again.index("match")], "a new table before the old one"
        assert table.end_all() == {"bot0": 0, "bot1": 0}
        ended = [found for found in table.audited() if found["code"] == 0]
        assert len(ended) >= 4, table.screens()


def test_a_table_on_the_second_of_its_brokers_is_found_while_the_first_is_down(
    tmp_path: Path,
) -> None:
    with bots(tmp_path, 2, host='set = ["match_end=rounds", "target=1"]') as table:
        config = tmp_path / "bot1.toml"
        first, second = (f'"mqtt://127.0.0.1:{port}"' for port in (free_port(), table.port))
        config.write_text(config.read_text().replace(f"[{second}]", f"[{first}, {second}]"))
        assert f"[{first}, {second}]" in config.read_text()
        table.begin_all()
        table.wait(lambda: table.count("bot1", "match") >= 1, "a match")
        links = [line["text"] for line in table.told("bot1") if line["event"] == "link"]
        assert any(f"the lounge on {first[1:-1]}: not connected" in text for text in links)
        assert f"the lounge on {second[1:-1]}: connected" in links
        assert table.end_all() == {"bot0": 0, "bot1": 0}


def test_a_file_is_read_anew_and_a_wrong_one_changes_nothing(tmp_path: Path) -> None:
    with bots(tmp_path, 2) as table:
        table.begin("bot1")
        table.wait(lambda: table.count("bot1", "begins") == 1, "its beginning")
        config = tmp_path / "bot1.toml"
        config.write_text(config.read_text() + 'levle = "net"\n')
        os.kill(table.programs["bot1"].pid, signal.SIGHUP)
        table.wait(lambda: table.count("bot1", "config") == 1, "that it reads the file")
        config.write_text(config.read_text().replace("levle", "level"))
        os.kill(table.programs["bot1"].pid, signal.SIGHUP)
        table.wait(lambda: table.count("bot1", "config") == 2, "that it reads the file")
        wrong, right = (line["text"] for line in table.told("bot1") if line["event"] == "config")
        assert "`seat.0.levle`" in wrong
        assert "read anew" in right
        table.programs["bot1"].terminate()
        assert table.programs["bot1"].wait(30) == 0


def scraped(port: int) -> dict[str, float]:
    """Return the figures of a bot; none while nobody listens."""
    with (
        contextlib.suppress(urllib.error.URLError),
        urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer,
    ):
        return samples(answer.read().decode())
    return {}


def test_asked_to_end_it_plays_its_round_to_the_end_and_tells_figures_meanwhile(
    tmp_path: Path,
) -> None:
    """And asked a second time it goes at once; where no round ends in time its journal waits."""
    port = free_port()
    with bots(tmp_path, 2, stop_s=120, more=f"[metrics]\nport = {port}\n") as table:
        more = tmp_path / "bot0.toml"
        more.write_text(more.read_text().replace(f"port = {port}", "port = 0"))
        table.begin_all()
        table.wait(lambda: table.count("bot1", "began") == 1, "the match")
        table.wait(lambda: scraped(port).get('unop2p_proofs_total{kind="check"}', 0) > 0, "proofs")
        table.programs["bot1"].terminate()
        assert table.programs["bot1"].wait(120) == 0
        told = [line["event"] for line in table.told("bot1")]
        assert told.index("ends") < told.index("round") < told.index("ended")
        assert told.count("round") == 1, "the next round is for later"
        table.begin("bot1")
        table.wait(lambda: table.count("bot1", "resumed") == 1, "that it comes back")
        table.wait(
            lambda: scraped(port).get("unop2p_step_seconds_count", 0) > 0, "that it plays on"
        )
        found = scraped(port)
        assert found['unop2p_tables{state="playing"}'] == 1
        assert found['unop2p_messages_total{kind="sent"}'] > 0
        assert found["process_resident_memory_bytes"] > 1e7
        for _ in range(2):
            table.programs["bot1"].terminate()
            time.sleep(0.5)
        assert table.programs["bot1"].wait(30) == 0
        assert list((tmp_path / "bot1" / "tables").glob("*.journal")), (
            "there is a table to go on with"
        )


def test_a_service_manager_hears_that_it_is_ready_alive_reading_anew_and_ending(
    tmp_path: Path,
) -> None:
    heard: list[str] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager, bots(tmp_path, 2) as table:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(0)

        def has(line: str, times: int = 1) -> bool:
            with contextlib.suppress(BlockingIOError):
                while True:
                    heard.extend(manager.recv(4096).decode().splitlines())
            return heard.count(line) >= times

        table.begin("bot1", NOTIFY_SOCKET=str(tmp_path / "notify"), WATCHDOG_USEC="1000000")
        table.wait(lambda: has("READY=1") and has("WATCHDOG=1", 2), "that it is ready and alive")
        assert not has("RELOADING=1")
        table.programs["bot1"].send_signal(signal.SIGHUP)
        table.wait(lambda: has("RELOADING=1") and has("READY=1", 2), "that it reads the file anew")
        assert not has("STOPPING=1")
        table.programs["bot1"].terminate()
        assert table.programs["bot1"].wait(30) == 0
        assert has("STOPPING=1")


def test_the_event_loop_that_hangs_is_not_told_to_be_alive(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager, bots(tmp_path, 2) as table:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(60)
        table.begin("bot1", NOTIFY_SOCKET=str(tmp_path / "notify"), WATCHDOG_USEC="500000")
        while manager.recv(4096) != b"WATCHDOG=1":
            pass
        table.programs["bot1"].send_signal(signal.SIGSTOP)
        manager.settimeout(2)
        with pytest.raises(TimeoutError):
            while manager.recv(4096):
                pass
        table.programs["bot1"].send_signal(signal.SIGCONT)
        while manager.recv(4096) != b"WATCHDOG=1":
            pass


@pytest.mark.soak
@pytest.mark.timeout(28_800)
def test_four_processes_play_many_rounds_with_no_hand_touching_them(tmp_path: Path) -> None:
    """Memory and disk of each process stay flat, and are printed as it goes.

    `UNOP2P_SOAK_ROUNDS`: how many rounds. `UNOP2P_SOAK_DEAL`: how cards are shuffled, `proved` or
    `commit-reveal`. `UNOP2P_SOAK_TARGET`: points that end a match. `UNOP2P_SOAK_RECORDS`: how many
    records each process keeps.
    """
    wanted = int(os.environ.get("UNOP2P_SOAK_ROUNDS", "200"))
    deal = os.environ.get("UNOP2P_SOAK_DEAL", "proved")
    target = os.environ.get("UNOP2P_SOAK_TARGET", "300")
    kept = int(os.environ.get("UNOP2P_SOAK_RECORDS", "10"))
    host = f'set = ["target={target}"]\ndeal = "{deal}"'
    accept = f'[accept]\ndeals = ["{deal}"]\n'
    with bots(tmp_path, 4, host=host, more=accept, keep=kept) as table:
        table.begin_all()
        began_s, before, seen = time.monotonic(), table.measured(), []
        for rounds in sorted({1, *(wanted * part // 20 for part in range(1, 21))} - {0}):
            table.wait(
                lambda least=rounds: table.count("bot0", "round") >= least, f"{rounds} rounds"
            )
            now, passed_s = table.measured(), time.monotonic() - began_s
            seen.append(now)
            cells = (
                f"{name} {now[name]['rss_kb'] / 1000:.0f} MB "
                f"{now[name]['home_bytes'] / 1e6:.1f}+{now[name]['records_bytes'] / 1e6:.1f} MB "
                f"{(now[name]['cpu_ms'] - before[name]['cpu_ms']) / 1000:.0f} s"
                for name in table.names
            )
            print(f"{rounds} rounds, {passed_s:.0f} s: {'; '.join(cells)}", flush=True)
        assert set(table.end_all().values()) == {0}
        found = table.audited()
        whole = [one for one in found if one["code"] == 0]
        print(f"{len(found)} records, {len(whole)} of whole matches", flush=True)
        assert {one["code"] for one in found} <= {0, 40}, found  # 40: the last was not over
        assert sum(table.count(name, "fault") for name in table.names) == 0
        for name in table.names:
            # A match that goes on grows, and the one after it begins anew: the highest of each half.
            half = len(seen) // 2
            early, late = (
                {key: max(one[name][key] for one in part) for key in now[name]}
                for part in (seen[half // 2 : half + 1], seen[half + 1 :])
            )
            assert late["rss_kb"] < 1.15 * early["rss_kb"] + 8_000, (name, seen)
            assert late["home_bytes"] < 20_000_000, (name, seen)
            assert late["records"] <= kept + 1, (name, seen)
