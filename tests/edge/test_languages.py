"""Which language is spoken is chosen once, by whoever starts the program."""

import pytest

from unop2p.edge.languages import LanguageError, choose, load, named
from unop2p.words import ENGLISH, LANGUAGES


def test_what_is_asked_for_counts_before_variable_setting_and_locale() -> None:
    environment = {"UNOP2P_LANG": "ro", "LC_ALL": "el_GR.UTF-8"}
    assert choose("pl", "uk", environment) == "pl"
    assert choose(None, "uk", environment) == "ro"
    assert choose(None, "uk", {"LC_ALL": "el_GR.UTF-8"}) == "uk"
    assert choose(None, None, {"LC_ALL": "el_GR.UTF-8"}) == "el"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "uk_UA.UTF-8"}, "uk"),
        ({"LANG": "uk_UA.UTF-8", "LC_MESSAGES": "pl_PL"}, "pl"),
        ({"LANG": "uk_UA.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "", "LC_ALL": ""}, "en"),
        ({"LANG": "iw_IL"}, "he"),
        ({"LANG": "ro_MD@quot"}, "ro"),
        ({"UNOP2P_LANG": "", "LANG": "he_IL.UTF-8"}, "he"),
    ],
)
def test_the_locale_decides_where_nobody_asks(environment: dict[str, str], language: str) -> None:
    assert choose(None, None, environment) == language


@pytest.mark.parametrize("wanted", ["pl", "PL", "pl_PL.UTF-8", "pl-PL", "Polski", " polski "])
def test_a_language_is_named_in_several_ways(wanted: str) -> None:
    assert named(wanted) == "pl"


@pytest.mark.parametrize("wanted", ["xx", "p", "klingon", "../pl", "."])
def test_a_language_that_is_not_spoken_is_refused_with_those_that_are(wanted: str) -> None:
    with pytest.raises(LanguageError, match=r"pl \(Polski\)"):
        choose(wanted, None, {})


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_its_words(language: str) -> None:
    assert load(language).language == language
    assert (load(language) is ENGLISH) == (language == "en")
