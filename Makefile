# Two commands do everything on a fresh machine: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
OPEN_EDX := .venv-open-edx
BIN := $(VENV)/bin
JAVASCRIPT := tests/javascript
# One thread each: workers and tests share the cores, and two threads under load cost five times as much.
export OMP_NUM_THREADS := 1
export MKL_NUM_THREADS := 1
# Python keeps compiled modules, also where the environment forbids it: hundreds of processes would compile them anew.
unexport PYTHONDONTWRITEBYTECODE
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: help demo test test-all style layers types scripts generated collected format build translate site slides attacks verdicts siege open-edx bundle lab bubblewrap clean

help:  ## Say what there is.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/ready bubblewrap build  ## Build the lessons, grade a small class, show marks and feedback.
	$(BIN)/python -m autograder demo

test: MARKED = not whole
test: bubblewrap  ## Check style, layers, types, JavaScript and generated files, run the tests.
	# Tests import a part of the packages; compiling all of them would take longer than the checks of style.
	@$(MAKE) --no-print-directory --jobs 2 --output-sync COMPILE=--no-compile $(VENV)/ready scripts
	@$(MAKE) --no-print-directory --jobs 2 --output-sync style layers types generated collected
	# One worker more than there are cores, because tests also wait (nproc would take OMP_NUM_THREADS for the number of
	# cores). All tests of a file run in one worker, so that what they share is made once.
	$(BIN)/python -m pytest -n $$(($$(env -u OMP_NUM_THREADS nproc) + 1)) --dist loadfile --no-loadscope-reorder -m "$(MARKED)"

test-all:  ## The same with the tests that take seconds each: whole terms, each lesson from its first cell to its last.
	@$(MAKE) --no-print-directory test MARKED=

style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

layers:
	@if [ -x $(BIN)/lint-imports ]; then $(BIN)/lint-imports; else echo "Layers are not checked: that needs Python 3.11."; fi

types:
	$(BIN)/mypy

scripts:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory javascript; \
	else echo "JavaScript is not checked: that needs npm."; fi

.PHONY: javascript
javascript: $(JAVASCRIPT)/node_modules/ready
	$(JAVASCRIPT)/node_modules/.bin/tsc --project $(JAVASCRIPT)
	$(JAVASCRIPT)/node_modules/.bin/eslint --config $(JAVASCRIPT)/eslint.config.js autograder utils $(JAVASCRIPT)

$(JAVASCRIPT)/node_modules/ready: $(JAVASCRIPT)/package-lock.json
	cd $(JAVASCRIPT) && npm ci --silent
	touch $@

generated:
	$(BIN)/python -m autograder format --check
	$(BIN)/python -m autograder build --check

# Compiles the modules that tests import, once: otherwise each worker would.
collected:
	@$(BIN)/python -m pytest --collect-only -qq >/dev/null || true

format: $(VENV)/ready  ## Format the code, and fill the lines of the lessons' prose.
	$(BIN)/ruff format .
	$(BIN)/python -m autograder format

build: $(VENV)/ready  ## Write everything that is generated.
	$(BIN)/python -m autograder build

bundle: $(VENV)/ready build  ## Write bundle/, what students get; for a course: python -m autograder bundle --course DIR.
	$(BIN)/python -m autograder bundle

site: $(VENV)/ready build  ## Write site/, the lessons and docs as static pages (runs what changed; an hour the first time).
	$(BIN)/python -m autograder site

slides: $(VENV)/ready  ## Write slides/, the lessons' drawings as SVG files, in all languages.
	$(BIN)/python -m autograder slides

translate: $(VENV)/ready  ## Bring the translators' catalogues up to date with the texts.
	$(BIN)/python -m autograder translate

lab: $(VENV)/ready build  ## Open the lessons in JupyterLab, in all languages.
	env -u OMP_NUM_THREADS -u MKL_NUM_THREADS $(BIN)/jupyter lab notebooks

attacks: $(VENV)/ready bubblewrap  ## Grade every attack of the corpus (minutes).
	$(BIN)/python -m pytest -n 2 tests/attacks tests/autograder/gradebook/test_doors.py --all-attacks

verdicts: $(VENV)/ready bubblewrap  ## Grade every known mistake, correct variant, attack and harmless habit (half an hour).
	$(BIN)/python -m benchmarks.proof verdicts

siege: $(VENV)/ready bubblewrap  ## Grade classes of everything while the grader is paused and killed (an hour).
	$(BIN)/python -m benchmarks.proof siege

$(VENV)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	# torch first: the constraint takes the small CPU build, and what follows finds it there.
	$(BIN)/python -m pip install --quiet $(COMPILE) --constraint constraints.txt torch
	$(BIN)/python -m pip install --quiet $(COMPILE) --constraint constraints.txt --editable ".[lab,grading,cluster,lti,test,browser,site]"
	$(BIN)/python -m autograder install
	touch $@

bubblewrap:
	@command -v bwrap >/dev/null || if [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && apt-get install -y -qq bubblewrap; \
	else echo "Grading needs bubblewrap; type: sudo apt-get install bubblewrap"; exit 1; fi

open-edx: $(OPEN_EDX)/ready  ## Make an environment with Open edX's own LTI package (170 MB), for its tests.

$(OPEN_EDX)/ready:
	$(PYTHON) -m venv $(OPEN_EDX)
	$(OPEN_EDX)/bin/python -m pip install --quiet lti-consumer-xblock==11.4.4 cryptography
	touch $@

clean:  ## Remove the environments and what grading left.
	rm -rf $(VENV) $(OPEN_EDX) demo .grading
