/* SPDX-License-Identifier: MIT */
/* Unit tests: TEST(a_sentence) { ... } registers itself; all of them are one cmocka group that prints TAP. */
#ifndef TESTS_LIB_TEST_H
#define TESTS_LIB_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base.h"

void test_register(const char *name, CMUnitTestFunction fn);

#define TEST(name)                                                     \
	static void test_##name(void **state);                         \
	__attribute__((constructor)) static void register_##name(void) \
	{                                                              \
		test_register(#name, test_##name);                     \
	}                                                              \
	static void test_##name(void **state __attribute__((unused)))

#define CHECK(claim) assert_true(claim)
#define CHECK_STR(value, expected) test_check_str((value), (expected), __FILE__, __LINE__)
/* For tables: names the row that failed. */
#define CHECK_ROW(name, claim)                              \
	do {                                                \
		if (!(claim))                               \
			fail_msg("%s: %s", (name), #claim); \
	} while (0)

void test_check_str(struct str value, const char *expected, const char *file, int line);

/* A new directory for the test. It is removed with its content when the tests end. */
const char *test_dir(void);

#endif
