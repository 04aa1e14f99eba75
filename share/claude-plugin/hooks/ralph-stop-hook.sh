#!/bin/sh
# A Stop hook for the Ralph loop alone; the holdfast binary decides.
# Without the binary the agent may stop: a missing program must not trap anyone.
holdfast=${HOLDFAST:-holdfast}
if ! command -v "$holdfast" >/dev/null 2>&1; then
	echo "ralph-stop-hook: '$holdfast' is not in PATH; the loop does not continue" >&2
	exit 0
fi
exec "$holdfast" ralph hook
