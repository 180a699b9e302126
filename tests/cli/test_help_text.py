"""A help text is taken apart and put together again without a loss."""

import pytest

from unop2p.cli.help_text import parts_of, put_together

TEXT = (
    "What it does, over\ntwo lines.\n\nExamples:\n\n  unop2p id           who you are\n\n"
    "  unop2p rules show --set a=b  the rules\n\nExample: unop2p id --profile work"
)


def test_in_english_a_text_is_as_it_was() -> None:
    def say(template: str, **values: object) -> str:
        return template.format_map(values) if values else template

    assert put_together(TEXT, say) == TEXT.replace("over\ntwo", "over two")


def test_commands_are_told_from_what_they_do() -> None:
    def say(template: str, **values: object) -> str:
        return f"<{template.format_map(values)}>"

    assert put_together(TEXT, say) == (
        "<What it does, over two lines.>\n\n<Examples:>\n\n  unop2p id           <who you are>\n\n"
        "  unop2p rules show --set a=b  <the rules>\n\n<Example: unop2p id --profile work>"
    )


@pytest.mark.parametrize("text", ["", "  unop2p lab list"])
def test_what_has_no_sentence_is_not_translated(text: str) -> None:
    assert [part.sentence for part in parts_of(text)] == [""]
