/* SPDX-License-Identifier: MIT */
/* Strict numbers. */
#include "base/number.h"

bool
number_parse(struct str x, uint64_t *ret)
{
	uint64_t value = 0;

	if (x.n == 0)
		return false;
	for (size_t i = 0; i < x.n; i++) {
		unsigned digit = (unsigned char)x.s[i] - (unsigned)'0';

		if (digit > 9 || value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*ret = value;
	return true;
}

bool
number_parse_hex(struct str x, uint32_t *ret)
{
	uint32_t value = 0;

	if (x.n == 0 || x.n > 8)
		return false;
	for (size_t i = 0; i < x.n; i++) {
		char c = x.s[i], letter = (char)(c | 0x20);

		if (c >= '0' && c <= '9')
			value = value << 4 | (uint32_t)(c - '0');
		else if (letter >= 'a' && letter <= 'f')
			value = value << 4 | (uint32_t)(letter - 'a' + 10);
		else
			return false;
	}
	*ret = value;
	return true;
}
