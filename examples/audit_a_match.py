"""Audit a record from a program of your own: `python examples/audit_a_match.py my-match.jsonl`."""

import sys
from pathlib import Path

from unop2p.wire.audit import Finding, audit


def main(path: str) -> int:
    """Audit a record, say what it proves, and return 0 if everything holds."""
    with Path(path).open("rb") as lines:
        report = audit(lines)
    print(f"{report.finding}: {report.statements} statements, {report.signatures} signatures")
    for name, total in zip(report.names, report.totals, strict=False):
        print(f"  {name:12} {total}")
    if report.reason:
        print(f"  line {report.line}, step {report.step}: {report.reason}")
    return 0 if report.finding is Finding.COMPLETE else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
