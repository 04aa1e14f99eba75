/* SPDX-License-Identifier: MIT */
/* Numbers in text, read strictly: the whole string or nothing. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include "base/base.h"

/* Decimal digits only, leading zeros allowed and without meaning; false on anything else or on overflow. */
bool number_parse(struct str x, uint64_t *ret);
/* One to eight hexadecimal digits in either case, and nothing else. */
bool number_parse_hex(struct str x, uint32_t *ret);

#endif
