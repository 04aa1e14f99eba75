/* SPDX-License-Identifier: MIT */
/* Strict decimal numbers. */
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
