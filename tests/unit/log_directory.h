/* SPDX-License-Identifier: MIT */
/* Throw-away log directories, and what is in logs. */
#ifndef TESTS_UNIT_LOG_DIRECTORY_H
#define TESTS_UNIT_LOG_DIRECTORY_H

#include "test.h"

#include "record/logdir.h"

#define TIME "[2026-11-15T01:26:52.615Z] "
#define STARTED                                                                  \
	TIME TIME "Starting check: lint\n" TIME "Executing command: a\nb\n" TIME \
		  "Working directory: pkg/a\n\n"
#define PASSED STARTED TIME "out\n" TIME "Result: pass - Command exited with code 0\n"
#define FAILED STARTED TIME "out\n" TIME "\nCommand failed: a\nb\n" TIME "Result: fail - Exited with code 1\n"
#define NO_START STARTED TIME "\nCommand failed: a\nb\n" TIME "Result: error - Missing command: a\n"
#define V(file, line, issue, more) "{\"file\":\"" file "\",\"line\":" line ",\"issue\":\"" issue "\"" more "}"
#define REVIEW(status, violations)                                                                         \
	"{\"adapter\":\"claude\",\"status\":\"" status "\",\"rawOutput\":\"\",\"violations\":[" violations \
	"]}"

/* A new one, empty, that is shown as `logs`. */
struct logdir new_logs(struct arena *a);
/* A file in it, or below it; one that is there is replaced. */
void put(struct arena *a, const struct logdir *d, const char *name, const char *content);
/* "(nothing)" where there is no such file. */
struct str content(struct arena *a, const struct logdir *d, const char *name);
/* The names in a directory of it, each followed by a blank. */
struct str names(struct arena *a, const struct logdir *d, const char *below);

#endif
