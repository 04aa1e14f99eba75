/* SPDX-License-Identifier: MIT */
/* A test that fails, in the words of the framework of a test file: what a gate that runs the tests must notice. Pure. */
#ifndef GUARDS_PLANTED_TEST_H
#define GUARDS_PLANTED_TEST_H

#include "base/base.h"

/* The text of the file with a failing test in it; its syntax stays right. Absent: the path is not that of a test, or no test can be
 * planted. */
struct str planted_test(struct arena *a, struct str path, struct str text);

#endif
