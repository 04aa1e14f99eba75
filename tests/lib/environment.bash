# SPDX-License-Identifier: MIT
# To be sourced by what runs tests: on every machine the same environment, whatever its user or its CI system has set.
# What is there to build with stays, and what the runner hands down to its suites.
for name in $(compgen -e); do
	case $name in
	PATH | PWD | HOME | TMPDIR | CC | CFLAGS | CPPFLAGS | LDFLAGS | PKG_CONFIG_*) ;;
	BATS_* | HOLDFAST_BIN | FUZZ_SECONDS | MODEL_SESSIONS | MODEL_KEEP | ASAN_OPTIONS | UBSAN_OPTIONS) ;;
	*) unset "$name" ;;
	esac
done
