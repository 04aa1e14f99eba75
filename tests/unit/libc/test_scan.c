/* SPDX-License-Identifier: MIT */
/* The searches for a byte, compared with those of the C library at every place and length around a block. */
#include "test.h"

#include "libc/scan.h"

TEST(a_byte_is_found_where_the_C_library_finds_it)
{
	char text[100];

	for (size_t from = 0; from < 17; from++)
		for (size_t n = 0; n < 70; n++)
			for (size_t at = 0; at < n + 2; at++) {
				memset(text, 'a', sizeof(text));
				text[from + at] = '\xff';
				text[from + n / 2] = '\xff';
				CHECK(scan_forward(text + from, 0xff, n) == memchr(text + from, 0xff, n));
				CHECK(scan_back(text + from, 0xff, n) == memrchr(text + from, 0xff, n));
				CHECK(!scan_forward(text + from, 'b', n) && !scan_back(text + from, 'b', n));
			}
}
