/* SPDX-License-Identifier: MIT */
/* SHA-1 and SHA-256 (FIPS 180-4), of which git makes the names of objects. For names that must be git's; digest.h is for ours. */
#ifndef BASE_SHA_H
#define BASE_SHA_H

#include "base/base.h"

/* In hexadecimal. */
#define SHA1_CHARS 40
#define SHA256_CHARS 64

struct sha {
	uint32_t state[8];
	uint64_t length;
	unsigned char block[64];
	bool is_256;
};

void sha_begin(struct sha *s, bool is_256);
void sha_add(struct sha *s, struct str bytes);
/* In hexadecimal. */
struct str sha_end(struct arena *a, struct sha *s);

#endif
