/* SPDX-License-Identifier: MIT */
/* A digest of bytes that nobody can find other bytes for: BLAKE2b (RFC 7693) with 128 bits, as `b2sum -l 128` prints it.
 * For what must withstand an attack; str_hash() is for the rest. */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include "base/base.h"

/* In hexadecimal. */
#define DIGEST_CHARS 32

#define DIGEST_BLOCK_BYTES 128
struct digest {
	uint64_t state[8];
	uint64_t length;
	unsigned char block[DIGEST_BLOCK_BYTES];
	size_t used; /* bytes of the block */
};

void digest_begin(struct digest *d);
void digest_add(struct digest *d, struct str bytes);
/* A number, and a text with its length before it: so that no two lists of texts look alike. An absent text is not an empty one. */
void digest_add_number(struct digest *d, uint64_t number);
void digest_add_text(struct digest *d, struct str text);
struct str digest_end(struct arena *a, struct digest *d);
/* Of one text. */
struct str digest_of(struct arena *a, struct str bytes);

#endif
