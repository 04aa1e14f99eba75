# SPDX-License-Identifier: MIT
# To be sourced by every script that runs tests: the same environment on every machine, whatever its user or its CI
# system has set. Only the variables that the build needs and those that the runner hands to its suites stay.
for name in $(compgen -e); do
	case $name in
	PATH | PWD | HOME | TMPDIR | CC | CFLAGS | CPPFLAGS | LDFLAGS | PKG_CONFIG_* | CCACHE_*) ;;
	BATS_* | HOLDFAST_BIN | FUZZ_SECONDS | MODEL_SESSIONS | MODEL_KEEP | ASAN_OPTIONS | UBSAN_OPTIONS) ;;
	*) unset "$name" ;;
	esac
done

# use_home DIRECTORY: programs find the user's files there, and nowhere else.
use_home() {
	export HOME=$1 XDG_CONFIG_HOME=$1/.config XDG_DATA_HOME=$1/.local/share XDG_STATE_HOME=$1/.local/state
	export XDG_CACHE_HOME=$1/.cache CLAUDE_CONFIG_DIR=$1/.claude
}
