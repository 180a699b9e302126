"""Options that commands share."""

from typing import get_args

import typer.models

from unop2p.cli import options


def test_every_shared_option_has_help_that_ends_a_sentence() -> None:
    shared = [value for name, value in vars(options).items() if name.endswith("Option")]
    assert len(shared) > 15
    for value in shared:
        info = get_args(value)[1]
        assert isinstance(info, typer.models.OptionInfo)
        assert info.help
        assert info.help.endswith(".")
