"""What `unop2p broker check` prints."""

import json
import sys
from collections.abc import Callable

from unop2p.cli.tongue import words
from unop2p.edge.broker_check import Finding, Verdict, check_broker
from unop2p.edge.broker_url import BrokerURL
from unop2p.words import said

Tell = Callable[[Finding], None]
UNFIT_EXIT_CODE = 17
"""The broker can be reached, and no game can be played over it."""

_MARKS = {Verdict.GOOD: "ok", Verdict.NOTE: "--", Verdict.WIDE: "! ", Verdict.BAD: "NO"}


async def check(url: BrokerURL, *, as_json: bool) -> int:
    """Try a broker out and print what was found, each as it comes.

    Returns:
        0: games can be played over it; 17: they cannot.

    Raises:
        BrokerError: it cannot be reached, or carries nothing.
    """
    known = words()

    def tell(finding: Finding) -> None:
        if not as_json:
            sys.stdout.write(f"{_MARKS[finding.verdict]}  {known.tell(finding.text)}\n")
            sys.stdout.flush()

    findings = await check_broker(url, tell)
    fit = all(finding.verdict is not Verdict.BAD for finding in findings)
    if as_json:
        report = {
            "broker": url.public_text(),
            "fit": fit,
            "findings": [
                {
                    "name": finding.name,
                    "verdict": str(finding.verdict),
                    "value": finding.value,
                    "text": str(finding.text),
                }
                for finding in findings
            ],
        }
        sys.stdout.write(json.dumps(report, indent=2) + "\n")
    elif not fit:
        sys.stdout.write(known.tell(said("No game can be played over it like this.")) + "\n")
    elif any(finding.verdict is Verdict.WIDE for finding in findings):
        sys.stdout.write(
            known.tell(said("Games can be played over it; look at the lines with `!`.")) + "\n"
        )
    else:
        sys.stdout.write(known.tell(said("Games can be played over it.")) + "\n")
    return 0 if fit else UNFIT_EXIT_CODE
