# make play    build everything and open the studio in a browser
# make test    build everything and run the tests
# The rest is for developers; see CONTRIBUTING.md.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Exact versions of everything, the same for all of us until `make constraints` renews them.
INSTALL := install --constraint constraints.txt
# Ninja counts the cores itself; make's own count would hold it to one. One at a time: `make play full` asks for two, and
# they share a build folder.
COMPILE := MAKEFLAGS= flock .venv $(PIP) install --no-deps --no-build-isolation --editable .
SOURCES := pyproject.toml CMakeLists.txt $(shell find native -type f)
# Installing packages waits for a network, compiling for the processor: both at a time.
MAKEFLAGS += --jobs=2
EXTRAS_web := web nets
EXTRAS_dev := dev
WHAT_FOR_web := the studio
WHAT_FOR_dev := testing
# What runs in a browser.
PAGES := src/rookery/interfaces/web/static/js
# Programs that the tests run, as command:package; `make test` installs those that are missing.
TEST_PROGRAMS := fairymax:fairymax gnugo:gnugo stockfish:stockfish chromium:chromium

.PHONY: play full test test-slow soak lint format stubs sign mutants bench constraints licences sanitize sanitize-threads wheel clean
.DELETE_ON_ERROR:

play: .venv/installed-web
	@$(BIN)/rookery serve --open

# Every board of Go from 2x2 to 19x19, and the lowest processor level beside the best.
full: .venv/installed-full

test: .venv/installed-dev
	@tools/system-packages $(TEST_PROGRAMS)
	$(BIN)/python -m pytest -n auto

test-slow: .venv/installed-dev
	@tools/system-packages $(TEST_PROGRAMS)
	$(BIN)/python -m pytest -n auto -m slow --timeout 3600

# Attempts to kill everything, in moderate sizes; see soak/README.md.
soak: .venv/installed-dev
	$(BIN)/python -m soak.native --count 1000
	$(BIN)/python -m soak.texts --count 100000
	$(BIN)/python -m soak.kills --count 10
	$(BIN)/python -m soak.disks
	$(BIN)/python -m soak.signals
	$(BIN)/python -m soak.masks
	$(BIN)/python -m soak.leaks --count 300

lint: .venv/installed-dev
	$(BIN)/ruff check --no-cache .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(shell find native -name '*.[ch]pp')
	$(BIN)/oxfmt --check $(PAGES)
	$(BIN)/mypy

# Every file as `make lint` wants it.
format: .venv/installed-dev
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(shell find native -name '*.[ch]pp')
	$(BIN)/oxfmt $(PAGES)

# The typed face of the native module, kept in the tree for readers and checkers.
stubs: .venv/installed-dev
	$(BIN)/python tools/stubs.py

# What games and searches do now, which the tests hold them to.
sign: .venv/installed-dev
	$(BIN)/python tools/sign.py

# Random changes of the program, and which of them the tests notice. MUTANTS="--count 20 --seed 7" says how many and which.
mutants: .venv/installed-dev
	$(BIN)/python tools/mutants.py $(MUTANTS)

bench: .venv/installed-full .venv/packages-web
	$(BIN)/python bench/peers.py

# The newest versions within the bounds of pyproject.toml, and the tests with them.
constraints: .venv/python
	$(BIN)/python tools/constraints.py
	$(MAKE) licences
	$(MAKE) test

# docs/licences.md from what is installed.
licences: .venv/installed-dev
	$(BIN)/python tools/licences.py

# Builds of their own with sanitizers in them, and the tests of native code on top. Python is not made for them: what it
# leaves at its end is no leak of ours.
NATIVE_TESTS := tests/chess tests/kriegspiel tests/go tests/duchess tests/conformance tests/encoders tests/searches \
    tests/players tests/nets tests/native tests/learners tests/rivals tests/runs tests/solve
THREAD_TESTS := tests/native tests/players tests/searches tests/learners tests/rivals tests/solve tests/runs
UNDER_SANITIZER := -m pytest -p no:cacheprovider -m "not slow and not unsanitized" --timeout 1800

sanitize: .venv-address/installed
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
	.venv-address/bin/python $(UNDER_SANITIZER) -n auto $(NATIVE_TESTS)

sanitize-threads: .venv-thread/installed
	LD_PRELOAD="$$(gcc -print-file-name=libtsan.so)" \
	TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1 suppressions=$(CURDIR)/tools/thread-sanitizer.txt" \
	.venv-thread/bin/python $(UNDER_SANITIZER) -n auto $(THREAD_TESTS)

wheel: .venv/tools
	$(BIN)/python -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir dist .

clean:
	rm -rf .venv .venv-* build dist

# --- how things get installed; each file stands for the step that made it

.venv/python:
	@tools/system-packages --python $(PYTHON)
	@$(PYTHON) -m venv .venv
	@touch $@

# Here and not in pip's throw-away build environment, so that the next build is incremental.
.venv/tools: .venv/python constraints.txt
	@echo "installing the build tools"
	@$(PIP) $(INSTALL) --no-compile setuptools wheel scikit-build-core nanobind cmake ninja
	@touch $@

# What others wrote, while the compiler works. Python compiles modules when they are first imported: most never are.
.venv/packages-web .venv/packages-dev: .venv/packages-%: .venv/tools
	@echo "installing the packages that $(WHAT_FOR_$*) needs"
	@$(BIN)/python tools/requirements.py $(EXTRAS_$*) > $@.txt
	@$(PIP) $(INSTALL) --no-compile --requirement $@.txt
	@touch $@

# The native half for this processor alone, with the boards that `rookery games` lists.
.venv/installed: .venv/tools $(SOURCES)
	@echo "compiling rookery (a minute or so the first time)"
	@$(COMPILE)
	@touch $@

# All of it: every board of Go, and the lowest processor level beside this one.
.venv/installed-full: .venv/tools $(SOURCES)
	@echo "compiling rookery in full (some minutes the first time)"
	@$(COMPILE) -C cmake.define.ROOKERY_FULL=ON
	@touch .venv/installed $@

.venv/installed-web: .venv/installed .venv/packages-web
	@touch $@

.venv/installed-dev: .venv/installed-full .venv/packages-dev
	@touch $@

SANITIZERS_address := address,undefined
SANITIZERS_thread := thread
.venv-address/installed .venv-thread/installed: .venv-%/installed: $(SOURCES)
	@tools/system-packages --python $(PYTHON)
	@$(PYTHON) -m venv .venv-$*
	@.venv-$*/bin/python -m pip --disable-pip-version-check --quiet $(INSTALL) setuptools wheel scikit-build-core nanobind cmake ninja
	@.venv-$*/bin/python -m pip --disable-pip-version-check --quiet $(INSTALL) --no-build-isolation --editable '.[dev]' \
	    -C build-dir=build/$* -C cmake.build-type=RelWithDebInfo \
	    -C cmake.define.ROOKERY_FULL=ON -C cmake.define.ROOKERY_SANITIZE=$(SANITIZERS_$*) -C cmake.define.ROOKERY_LEVELS=x86-64-v3
	@touch $@
