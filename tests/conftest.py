"""What holds for every test: a data folder of its own, and property tests without a stopwatch."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# The machines that run this are shared and slow at times: a deadline would fail at random.
settings.register_profile("unop2p", deadline=None, print_blob=True)
settings.load_profile("unop2p")

# A shell starts what it puts into the background deaf to Ctrl-C, and programs of the tests would inherit it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep every test away from the keys and journals of whoever runs it."""
    home = tmp_path_factory.mktemp("unop2p-home")
    before = os.environ.get("UNOP2P_HOME")
    os.environ["UNOP2P_HOME"] = str(home)
    yield home
    if before is None:
        del os.environ["UNOP2P_HOME"]
    else:
        os.environ["UNOP2P_HOME"] = before
