# SPDX-License-Identifier: MIT
# Every script that runs tests sources this file: it gives them the same environment on every machine. It keeps only the
# variables that the build needs and those that the runner passes to its suites.
for name in $(compgen -e); do
	case $name in
	PATH | PWD | HOME | TMPDIR | CC | CFLAGS | CPPFLAGS | LDFLAGS | PKG_CONFIG_* | CCACHE_*) ;;
	BATS_* | HOLDFAST_BIN | T | FUZZ_SECONDS | MODEL_SESSIONS | MODEL_KEEP | MODEL_STORY | ASAN_OPTIONS | UBSAN_OPTIONS) ;;
	*) unset "$name" ;;
	esac
done

# use_home DIRECTORY: makes programs look for the user's files there only.
use_home() {
	export HOME=$1 XDG_CONFIG_HOME=$1/.config XDG_DATA_HOME=$1/.local/share XDG_STATE_HOME=$1/.local/state
	export XDG_CACHE_HOME=$1/.cache CLAUDE_CONFIG_DIR=$1/.claude
}
