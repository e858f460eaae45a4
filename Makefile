# On a fresh machine with Python 3.11 or newer and make: `make demo` shows the main job, `make test` passes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

LOWEST := .venv-lowest
# Tests are compiled once and not in every worker of every run, also where Python may not write bytecode by itself.
export PYTHONDONTWRITEBYTECODE =

.PHONY: help demo test test-all test-plain lowest engines browser peers site check bench docs changelog coverage studies mutants soak lock clean

help:  ## these lines
	@sed -n 's/^\([a-z-]*\):.*  ## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name does; do printf '  make %-11s %s\n' "$$name" "$$does"; done

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

# The last places of a number depend on the processor. No test may hang on them.
VECTORS := import numpy; print(*numpy.show_config("dicts")["SIMD Extensions"].get("found", ()))

test-plain: $(VENV)/test  ## the quick tests of what is computed and printed, with the vector units of this machine switched off
	NPY_DISABLE_CPU_FEATURES="$$($(BIN)/python -c '$(VECTORS)')" OPENBLAS_CORETYPE=Haswell \
		$(BIN)/python -m pytest -m "not long" tests/numerics tests/bounds tests/laws/test_laws.py tests/test_snapshots.py \
		$$(grep -rl --include='*.py' 'from tests.snapshots import' tests)

# Test tools are taken at their lowest too, for then one command does it. Wheels of the lowest numpy exist for Python 3.11
# and 3.12. Other groups are not installed, and their tests skipped. What a library deprecates in another is not our affair.
$(LOWEST)/test: pyproject.toml
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct \
		-e ".[train,images,mpl,logs]" --group test
	touch $@

# What hangs on others: arithmetic on scipy, reading and counting, fitting, printing and drawing. The rest is arithmetic on
# numpy, which `test` and `test-plain` try; `make lowest ON_OTHERS=` runs that, too.
ON_OTHERS := numerics bounds test_reference.py predictions sources tally measures laws/test_frames.py \
	learners training resampling ledger render test_displays.py cli test_testing.py test_import.py

lowest: $(LOWEST)/test  ## the quick tests of what hangs on other libraries, on the lowest versions that pyproject.toml allows
	HOLDFAST_REQUIRE_ALL= $(LOWEST)/bin/python -m pytest -m "not long" -W ignore::DeprecationWarning $(addprefix tests/,$(ON_OTHERS))

check: $(VENV)/check  ## lint, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/bench  ## every benchmark; raw output in benchmarks/results/
	$(BIN)/python benchmarks/run.py

PAGES := architecture cross_validation crossings methods measures which_method command_line logs references peers studies_index changelog

docs: $(VENV)/docs  ## the site, built strictly, after the pages that are generated; that on cross-validation takes a minute
	set -e; for page in $(PAGES); do $(BIN)/python docs/_make/generate_$$page.py; done
	$(BIN)/python -m sphinx -W --keep-going --quiet -b html docs docs/_build/site
	@echo "The site is docs/_build/site/index.html."

changelog:  ## what the next release's section of CHANGELOG.md would say; make docs writes it there
	@$(PYTHON) docs/_make/generate_changelog.py --show

coverage: $(VENV)/run  ## what simulation finds of methods that cannot be enumerated; docs/methods.md is made of it
	$(BIN)/python docs/_make/measure_coverage.py

studies: $(VENV)/test  ## the five documents, computed again; make studies DATA=DIR says where the sets lie that may not be shipped
	$(BIN)/python -m studies $(if $(DATA),--data $(DATA))

mutants: $(VENV)/test  ## plants a hundred mistakes in the source, one by one, and tells which test catches each; some minutes
	$(BIN)/python -m tests.mutants > tests/mutants/caught.part && mv tests/mutants/caught.part tests/mutants/caught.txt

# On two cores about an hour; CI does a hundredth of it.
soak: $(VENV)/test  ## a hundred times the random command lines, processes and calls that CI tries; tests/fuzz/soak.txt
	$(BIN)/python -m tests.fuzz > tests/fuzz/soak.part && mv tests/fuzz/soak.part tests/fuzz/soak.txt
	$(BIN)/python -m tests.ledger > tests/ledger/soak.part && mv tests/ledger/soak.part tests/ledger/soak.txt

lock: $(VENV)/pip  ## new pins, without any address
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --universal --no-emit-index-url --no-emit-find-links --no-header --no-annotate \
		--all-extras --group test --group engines --group browser --group peers --group check --group bench --group docs pyproject.toml -o constraints.txt

clean:  ## away with environments, demo, site and the studies' store
	rm -rf $(VENV) $(LOWEST) demo docs/_build .studies
