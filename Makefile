# SPDX-License-Identifier: MIT
# The few commands that people use; the build itself is in meson.build.

PREFIX ?= /usr/local
DESTDIR ?=
ALIASES ?=
FUZZ_SECONDS ?= 60
MODEL_SESSIONS ?= 1000
C_FILES = $(shell git ls-files '*.c' '*.h' 2>/dev/null || find src tests -name '*.[ch]')

.PHONY: all demo test test-clients test-dist dist bench bench-check fuzz model mutants coverage install uninstall format clean help
all: build/build.ninja        ## build holdfast into build/ (installs what is missing)
	@ninja -C build -n | grep -q 'no work to do' || { echo 'building holdfast'; \
		if [ -t 1 ]; then ninja -C build; else ninja -C build --quiet; fi; }
build/build.ninja:
	@scripts/install-deps build
	@scripts/get-sources
	@out=$$(meson setup build 2>&1) || { echo "$$out" | grep 'ERROR:' >&2 || echo "$$out" | tail -n 5 >&2; rm -rf build; exit 1; }
demo: all                     ## play a real session in a throw-away repository
	@scripts/install-deps demo
	@tests/demo/demo.sh
check: build/build.ninja      ## is a change right? in a minute; T=WORD: all tests with the word in their names
	@scripts/install-deps test
	@T='$(T)' tests/run check
test: build/build.ninja       ## run every test
	@scripts/install-deps test
	@tests/run
test-clients: all             ## play sessions with the real clients, from the npm registry
	@scripts/install-deps clients || :
	@tests/clients/run
dist:                         ## a tarball and a Debian package, in build-dist/out
	@scripts/install-deps build dist
	@packaging/dist
test-dist:                    ## build them, install, look at them, remove
	@scripts/install-deps build dist
	@packaging/test
bench: all                    ## times, measured next to git and lefthook; tests/bench/run WORD: a part
	@scripts/install-deps bench
	@tests/bench/run
bench-check: all              ## count the instructions of what must stay fast, and compare with recorded figures
	@scripts/install-deps count
	@tests/bench/check
fuzz:                         ## fuzz each parser for FUZZ_SECONDS (60)
	@scripts/install-deps build test
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/run
model:                        ## play MODEL_SESSIONS (1000) random sessions against a model
	@scripts/install-deps build test
	@MODEL_SESSIONS=$(MODEL_SESSIONS) tests/run model
mutants: all                  ## take each fact out of the pure decisions; a unit test must turn red
	@scripts/install-deps build test
	@tests/mutate
coverage:                     ## what the tests reach, by folder
	@scripts/install-deps build test coverage
	@scripts/coverage
install: all                  ## install into PREFIX (/usr/local), below DESTDIR when set; ALIASES=1: conclaude and agent-gauntlet, too
	@scripts/install '$(PREFIX)' '$(DESTDIR)' '$(ALIASES)'
uninstall:                    ## remove from PREFIX what install put there
	@scripts/uninstall '$(PREFIX)' '$(DESTDIR)'
format:                       ## lay out all C files
	@scripts/install-deps test
	@clang-format -i $(C_FILES)
clean:                        ## remove what was built
	@rm -rf build build-clang build-coverage build-dist build-fault
help:                         ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
