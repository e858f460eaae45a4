# On a fresh machine with Python 3.11 or newer and make: `make demo` shows the main job, `make test` passes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo test test-all engines browser peers check bench docs lock clean

$(VENV)/pip:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	touch $@

$(VENV)/run: $(VENV)/pip pyproject.toml constraints.txt
	$(INSTALL) -e ".[images]"
	$(BIN)/python -m compileall -q src/holdfast  # starts faster, also where Python may not write bytecode by itself
	touch $@

$(VENV)/test: $(VENV)/run
	$(INSTALL) --group test
	touch $@

$(VENV)/engines: $(VENV)/test
	$(INSTALL) --group engines
	touch $@

$(VENV)/browser: $(VENV)/test
	$(INSTALL) --group browser
	touch $@

$(VENV)/peers: $(VENV)/test
	$(INSTALL) --group peers
	touch $@

$(VENV)/check: $(VENV)/test
	$(INSTALL) --group check
	touch $@

$(VENV)/bench: $(VENV)/run
	$(INSTALL) --group bench
	touch $@

demo: $(VENV)/run  ## the main job on a shipped example: on the screen, and a page and a picture in demo/
	@mkdir -p demo
	$(BIN)/holdfast assess examples/predictions.csv --positive malignant --html demo/report.html
	$(BIN)/holdfast compare examples/models.csv --models bayes,logistic,tree --html demo/comparison.html
	$(BIN)/holdfast plan --at-most 0.05 --expect 0.03 --power 0.9
	$(BIN)/holdfast verify wilson --n 30 --chart demo/coverage.html

test: $(VENV)/test  ## everything but the long tests
	$(BIN)/python -m pytest -m "not long"

engines: $(VENV)/engines  ## Spark, Dask, DuckDB and the like, for the tests that else are skipped (Java and R come from elsewhere)

browser: $(VENV)/browser  ## what drives a browser, for the tests of the page that else are skipped (Chromium comes from elsewhere)

peers: $(VENV)/peers  ## statsmodels, mlxtend and the like, for the tests that compare with them and else are skipped

test-all: $(VENV)/test  ## the long tests too, as CI does
	$(BIN)/python -m pytest

check: $(VENV)/check  ## lint, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/bench  ## every benchmark; raw output in benchmarks/results/
	$(BIN)/python benchmarks/run.py

docs: $(VENV)/run  ## the pages generated from the catalog; that on cross-validation is a minute's simulation
	$(BIN)/python docs/generate_methods.py
	$(BIN)/python docs/generate_measures.py
	$(BIN)/python docs/generate_cross_validation.py

lock: $(VENV)/pip  ## new pins, without any address
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --universal --no-emit-index-url --no-emit-find-links --no-header --no-annotate \
		--all-extras --group test --group engines --group browser --group peers --group check --group bench --group docs pyproject.toml -o constraints.txt

clean:
	rm -rf $(VENV) demo
