import re

from tests.release.licences import PAGE, extras, page, pins


def test_the_page_says_what_the_locked_packages_say_of_themselves() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make licences`, and read the diff"


def test_every_locked_package_and_every_extra_stands_on_the_page() -> None:
    rows = re.findall(r"^\| (\S+) \| (\S+) \| [A-Z].* \|$", PAGE.read_text(encoding="utf-8"), re.M)
    both = pins("lock.txt", "dev.txt")
    wanted = [*pins("lock.txt"), *extras()]
    assert {both[name] for name in wanted} <= set(rows)
    assert "numpy" in extras()
    assert extras()["gymnasium"] == ["rl"]
