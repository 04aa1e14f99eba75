/* SPDX-License-Identifier: MIT */
/* The list of event names. */
#include "model/event.h"

#define NAME(x)                  \
	{                        \
		x, sizeof(x) - 1 \
	}

const struct str event_names[] = {
	NAME("Stop"),
	NAME("UserPromptSubmit"),
	NAME("SessionEnd"),
	NAME("PreToolUse"),
	NAME("PostToolUse"),
	NAME("PostToolUseFailure"),
	NAME("PostToolBatch"),
	NAME("PermissionRequest"),
	NAME("PermissionDenied"),
	NAME("Notification"),
	NAME("SessionStart"),
	NAME("StopFailure"),
	NAME("SubagentStart"),
	NAME("SubagentStop"),
	NAME("PreCompact"),
	NAME("PostCompact"),
	NAME("TeammateIdle"),
	NAME("TaskCreated"),
	NAME("TaskCompleted"),
	NAME("ConfigChange"),
	NAME("CwdChanged"),
	NAME("FileChanged"),
	NAME("InstructionsLoaded"),
	NAME("WorktreeCreate"),
	NAME("WorktreeRemove"),
	NAME("Setup"),
	NAME("UserPromptExpansion"),
	NAME("Elicitation"),
	NAME("ElicitationResult"),
	NAME("MessageDisplay"),
};
const size_t event_name_count = COUNT_OF(event_names);
