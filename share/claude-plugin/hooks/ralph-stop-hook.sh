#!/bin/sh
# The Ralph loop's Stop hook, and nothing else of holdfast: the decision is the binary's.
# Without the binary the agent may stop: a hook that is missing must not trap anybody.
holdfast=${HOLDFAST:-holdfast}
if ! command -v "$holdfast" >/dev/null 2>&1; then
	echo "ralph-stop-hook: '$holdfast' is not on PATH; the loop does not go on" >&2
	exit 0
fi
exec "$holdfast" ralph hook
