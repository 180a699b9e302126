"""Small commands: who one is, a broker by itself."""

import asyncio
import contextlib

from unop2p.cli.common import check_embedded, run_async, say
from unop2p.cli.tongue import words
from unop2p.edge.broker import embedded_broker
from unop2p.edge.keystore import load_identity
from unop2p.edge.paths import data_home
from unop2p.words import said


def show(profile: str) -> int:
    """Print a profile's key and fingerprint; make it if it is new.

    Raises:
        EdgeError: the folder or key file cannot be used.
    """
    home = data_home()
    identity = load_identity(home, profile)
    say = words()
    rows = (
        (say.say("profile"), profile),
        (say.say("fingerprint"), identity.fingerprint),
        (say.say("public key"), identity.public.hex()),
        (say.say("folder"), str(home)),
    )
    width = max(len(title) for title, _ in rows)
    print("\n".join(f"{title:{width}}  {value}" for title, value in rows))  # noqa: T201  # the result
    return 0


def run_broker(address: str, port: int, engine: str) -> int:
    """Run a broker until interrupted.

    Raises:
        UsageError: there is no such engine or port.
        EdgeError: it does not start.
    """
    check_embedded(engine, port)

    async def main() -> int:
        broker = embedded_broker(engine, address, port)
        await broker.start()
        say(
            said(
                "The {engine} broker listens on {url}. Ctrl-C ends it.",
                engine=broker.engine,
                url=broker.url.public_text(),
            )
        )
        try:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
        finally:
            await broker.stop()
        return 0

    return run_async(main())
