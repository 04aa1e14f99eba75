/* SPDX-License-Identifier: MIT */
/* The searches for a byte, compared with those of the C library at every place and length around a block. */
#include "test.h"

#include "libc/scan.h"

#include <stdint.h>
#include <sys/mman.h>

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

TEST(a_length_beyond_the_text_is_no_address)
{
	/* the text ends with its page, and the next one can't be read */
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(pages != MAP_FAILED && mprotect(pages + 4096, 4096, PROT_NONE) == 0);
	memset(pages, 'a', 4096);
	pages[4095] = '\0';
	for (size_t from = 4096 - 70; from < 4096; from++) {
		CHECK(scan_forward(pages + from, 0, SIZE_MAX) == pages + 4095);
		CHECK(scan_forward(pages + from, 0, 4096) == pages + 4095);
	}
	CHECK(munmap(pages, 8192) == 0);
}
