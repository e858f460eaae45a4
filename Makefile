# On a fresh machine with Python 3.11 or newer and make: `make demo` shows the main job, `make test` passes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo test test-all engines browser peers site check bench docs coverage studies lock clean

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

$(VENV)/docs: $(VENV)/test
	$(INSTALL) --group docs
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

site: $(VENV)/docs  ## what makes the site, for the tests of it that else are skipped

peers: $(VENV)/peers  ## statsmodels, mlxtend and the like, for the tests that compare with them and else are skipped

test-all: $(VENV)/test  ## the long tests too, as CI does
	$(BIN)/python -m pytest

check: $(VENV)/check  ## lint, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/bench  ## every benchmark; raw output in benchmarks/results/
	$(BIN)/python benchmarks/run.py

PAGES := cross_validation methods measures which_method command_line references peers studies_index

docs: $(VENV)/docs  ## the site, built strictly, after the pages that are generated; that on cross-validation takes a minute
	set -e; for page in $(PAGES); do $(BIN)/python docs/generate_$$page.py; done
	$(BIN)/python -m sphinx -W --keep-going --quiet -b html docs docs/_build/site
	@echo "The site is docs/_build/site/index.html."

coverage: $(VENV)/run  ## what simulation finds of methods that cannot be enumerated; docs/methods.md is made of it
	$(BIN)/python docs/measure_coverage.py

studies: $(VENV)/test  ## the five documents, computed again; make studies DATA=DIR says where the sets lie that may not be shipped
	$(BIN)/python -m studies $(if $(DATA),--data $(DATA))

lock: $(VENV)/pip  ## new pins, without any address
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --universal --no-emit-index-url --no-emit-find-links --no-header --no-annotate \
		--all-extras --group test --group engines --group browser --group peers --group check --group bench --group docs pyproject.toml -o constraints.txt

clean:
	rm -rf $(VENV) demo docs/_build .studies
