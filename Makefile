# Every target runs in .venv, which is made when it is missing or when the dependencies have changed.
PYTHON ?= python3
GAME ?= morphyry
SAMPLE ?= 100
WORKERS ?= 2
BIN = .venv/bin
READY = .venv/ready

export PIP_DISABLE_PIP_VERSION_CHECK = 1

# suite NAME, COMMAND: runs the command and prints its seconds
suite = @echo "== $(1)"; start=$$(date +%s); $(2); status=$$?; \
	echo "== $(1): $$(($$(date +%s) - start)) seconds"; exit $$status

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "  make %-13s %s\n", $$1, $$2}'

.PHONY: play
play: $(READY) ## open the web table: all games, or a table of GAME
	@$(BIN)/referee play $(if $(filter command environment,$(firstword $(origin GAME))),$(GAME))

.PHONY: test
test: lint types contracts unit conformance docs-test browser ## everything that must hold before a commit

.PHONY: lint
lint: $(READY) ## style (ruff)
	$(call suite,lint,$(BIN)/ruff check . && $(BIN)/ruff format --check .)

.PHONY: types
types: $(READY) ## types (mypy --strict)
	$(call suite,types,$(BIN)/mypy)

.PHONY: contracts
contracts: $(READY) ## which package may import which (import-linter)
	$(call suite,contracts,$(BIN)/lint-imports)

.PHONY: unit
unit: $(READY) debian ## unit tests and scenes
	$(call suite,unit,$(BIN)/pytest tests --ignore=tests/conformance --ignore=tests/docs --ignore=tests/browser -n $(WORKERS) --dist loadfile)

.PHONY: conformance
conformance: $(READY) ## the conformance kit on every ruleset
	$(call suite,conformance,$(BIN)/pytest tests/conformance -n $(WORKERS) --dist worksteal)

.PHONY: docs-test
docs-test: $(READY) ## what the documentation says is true
	$(call suite,docs-test,$(BIN)/pytest tests/docs)

# What only some tests need is installed where this may be done; elsewhere those tests skip and say so.
.PHONY: debian
debian:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		wanted=$$(command -v chromium >/dev/null || echo chromium; ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || echo postgresql); \
		[ -z "$$wanted" ] || { echo "installing $$wanted"; apt-get update -qq && apt-get install -y -qq $$wanted; } >/dev/null 2>&1 || true; \
	fi

.PHONY: browser
browser: $(READY) debian ## the web table in Debian's Chromium; skipped where there is none and none can be installed
	$(call suite,browser,$(BIN)/pytest tests/browser -rs)

.PHONY: test-long
test-long: $(READY) ## the tests that take minutes
	$(call suite,test-long,REFEREE_LONG=10 HYPOTHESIS_PROFILE=long $(BIN)/pytest tests -m "long or not long")

.PHONY: fix
fix: $(READY) ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: docs
docs: ## copy the numbered rules of each game to docs/rules
	@mkdir -p docs/rules
	@for file in src/referee/rulesets/*/rules.md; do cp "$$file" "docs/rules/$$(basename "$$(dirname "$$file")").md"; done

.PHONY: texts
texts: $(READY) ## bring the catalogues of the web table's languages up to date
	$(BIN)/python -m referee.table.catalogues

.PHONY: bench
bench: $(READY) ## speeds, side by side with other engines
	$(BIN)/python -m pip install --quiet -e '.[bench]'
	$(BIN)/python -m bench

.PHONY: bench-table
bench-table: $(READY) debian ## the web table under load; where the cores are busy the figures say little
	$(BIN)/python -m pip install --quiet -e '.[bench]'
	$(BIN)/python -m bench.table

.PHONY: soak
soak: $(READY) ## 100,000 random encounters of GAME
	$(BIN)/python -m referee.testkit.soak $(GAME) -n 100000

.PHONY: mutate
mutate: $(READY) ## rules of GAME that no test would miss (SAMPLE of them)
	$(BIN)/python -m referee.testkit.mutate $(GAME) --sample $(SAMPLE)

.PHONY: lock
lock: ## pin the newest dependencies in requirements.lock (needs uv)
	uv pip compile --universal --python-version 3.11 --upgrade --quiet --no-header --no-annotate \
		--extra table --extra test --output-file requirements.lock pyproject.toml

.PHONY: clean
clean: ## remove .venv and all caches
	rm -rf .venv build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: .venv
.venv: $(READY)

$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo 'The venv module of Python is missing: apt-get install python3-venv' >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps -e .
	@touch $@
