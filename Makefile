# Everything on a fresh machine: `make play`, `make test`. No root, no broker needed.

PYTHON ?= $(shell for p in python3.12 python3.13 python3.11 python3.14 python3; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
	2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
# Wheels of iotcore are there for these only, and the game does without.
IOTCORE := platform_machine in "x86_64 AMD64 aarch64 arm64" and python_version < "3.15"
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

# The rooms that know no clock, disk or network, and how much of them tests must run.
CORE := unop2p/words.py unop2p/errors.py unop2p/ids.py unop2p/rules/* unop2p/deal/* unop2p/log/* unop2p/table/* \
	unop2p/wire/* unop2p/bots/* unop2p/peer/*
COV_MIN := 95
comma := ,
space := $(subst ,, )

.PHONY: play test soak check bench flood returns fuzz cov words screens picture \
	dist changelog release release-check licences lock clean

play: $(VENV)/.installed
	@$(BIN)/unop2p play $(ARGS) || [ $$? -eq 3 ] # 3: left, and the table waits

test: $(VENV)/.tested
	$(BIN)/python -m pytest -n 2 --dist loadfile -q $(ARGS)

# The long runs that `make test` leaves out: whole matches to 500, hundreds of kills, many rule sets.
soak: $(VENV)/.tested
	$(BIN)/python -m pytest -m soak --timeout 3600 -q -s $(ARGS)

check: $(VENV)/.tested
	$(BIN)/ruff check unop2p tests examples
	$(BIN)/ruff format --check unop2p tests examples
	$(BIN)/mypy unop2p tests examples
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q -p no:cacheprovider --doctest-modules unop2p tests/architecture

bench: $(VENV)/.tested $(VENV)/.benched
	$(BIN)/python -m tests.bench $(ARGS)

# How much junk on the table's topic slows a table down; needs Mosquitto. ARGS: --layout, --qos, --kinds, --rate.
flood: $(VENV)/.tested
	$(BIN)/python -m tests.bench.flood $(ARGS)

# How long the others wait for a program that is killed, and how long its return takes; needs Mosquitto.
returns: $(VENV)/.tested
	$(BIN)/python -m tests.bench.returns $(ARGS)

# Bytes by chance against everything that reads what strangers send; what fails is written to fuzz-found.
FUZZ_S ?= 1800
fuzz: $(VENV)/.fuzzed
	$(BIN)/python -m tests.fuzz.run $(FUZZ_S)

cov: $(VENV)/.tested
	$(BIN)/python -m pytest -n 2 --dist loadfile -q --cov --cov-report=term-missing:skip-covered $(ARGS)
	@echo "The core, branches too: $(COV_MIN) % at least."
	$(BIN)/coverage report --include="$(subst $(space),$(comma),$(CORE))" --skip-covered --fail-under=$(COV_MIN)

# The moving picture in the README, from the real program.
picture: $(VENV)/.tested
	$(BIN)/python -m tests.e2e.picture docs/table.svg

# The catalogs of the languages, from what the source says now; then fill in what is empty, and again.
words: $(VENV)/.tested
	$(BIN)/python -m tests.words.catalogs

# The screens that the tests compare with, in every language and size; read the diff before it is committed.
screens: $(VENV)/.tested
	$(BIN)/python -m tests.repl.screens

# Wheel and sdist of the last commit into dist/; twice, and the bytes compared.
dist: $(VENV)/.tested
	$(BIN)/python -m tests.release.building --twice

# What the next release will say; and making it: `make release VERSION=0.2.0`.
changelog: $(VENV)/.tested
	@$(BIN)/python -m tests.release.changelog

release: $(VENV)/.tested
	@$(BIN)/python -m tests.release.changelog $(VERSION)

# What was built, installed as players do (pip, pipx, uv) and played for a moment; some minutes.
release-check: dist .venv-release/.made
	.venv-release/bin/python -m tests.release.check

.venv-release/.made: requirements/release.txt
	$(PYTHON) -m venv .venv-release
	.venv-release/bin/python -m pip --disable-pip-version-check -q install -r requirements/release.txt
	@touch $@

licences: $(VENV)/.tested
	$(BIN)/python -m tests.release.licences

# The newest versions that pyproject.toml and requirements/dev.in allow; read the diff, then test.
lock:
	rm -rf .venv-lock
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip --disable-pip-version-check -q install .
	{ echo "# Exact versions of everything that unop2p runs on; \`make lock\` writes this file anew."; \
	  .venv-lock/bin/python -m pip freeze | grep -v '^unop2p ' ; } > requirements/lock.txt
	.venv-lock/bin/python -m pip --disable-pip-version-check -q install -r requirements/dev.in
	{ echo "# Exact versions of what tests and checks need on top of lock.txt; also by \`make lock\`."; \
	  .venv-lock/bin/python -m pip freeze | grep -v '^unop2p ' | grep -vxFf requirements/lock.txt \
	  | sed 's/^iotcore==.*/& ; $(IOTCORE)/'; } > requirements/dev.txt
	rm -rf .venv-lock

clean:
	rm -rf $(VENV) .venv-lock .venv-release dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "unop2p needs Python 3.11 or later, with venv (on Debian and" \
		"Ubuntu: python3 and python3-venv). Install it, then make again."; exit 1; }
	@echo "Making $(VENV) with $(PYTHON), the first time only."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.made requirements/lock.txt pyproject.toml
	@echo "Installing what unop2p runs on."
	@$(PIP) install -r requirements/lock.txt
	@$(PIP) install --no-deps -e .
	@touch $@

$(VENV)/.tested: $(VENV)/.installed requirements/dev.txt
	@echo "Installing what tests and checks need."
	@$(PIP) install -r requirements/lock.txt -r requirements/dev.txt
	@touch $@

# Without a network the bench leaves its figures beside RLCard out.
$(VENV)/.benched: $(VENV)/.tested requirements/bench.txt
	@echo "Installing what the bench compares with."
	@$(PIP) install --no-deps -r requirements/bench.txt || echo "RLCard cannot be had: left out."
	@touch $@

$(VENV)/.fuzzed: $(VENV)/.tested requirements/fuzz.txt
	@echo "Installing the fuzzer."
	@$(PIP) install --no-deps -r requirements/fuzz.txt
	@touch $@
