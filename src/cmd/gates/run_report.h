/* SPDX-License-Identifier: MIT */
/* The tasks of a run as the jobs of its report. */
#ifndef CMD_GATES_RUN_REPORT_H
#define CMD_GATES_RUN_REPORT_H

#include "task/runner.h"
#include "model/report.h"

/* Puts them into the report, in the order of the plan. What was never begun is there as skipped. */
void run_report_add_tasks(struct arena *a, const struct task *tasks, size_t count, struct report *r);

#endif
