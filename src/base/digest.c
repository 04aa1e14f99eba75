/* SPDX-License-Identifier: MIT */
/* BLAKE2b without a key, for less than 2^64 bytes. */
#include "base/digest.h"

#include <byteswap.h>
#include <endian.h>
#include <inttypes.h>

#define DIGEST_BYTES (DIGEST_CHARS / 2)
#define ROUNDS 12

static const uint64_t start[8] = {
	UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xbb67ae8584caa73b), UINT64_C(0x3c6ef372fe94f82b),
	UINT64_C(0xa54ff53a5f1d36f1), UINT64_C(0x510e527fade682d1), UINT64_C(0x9b05688c2b3e6c1f),
	UINT64_C(0x1f83d9abfb41bd6b), UINT64_C(0x5be0cd19137e2179),
};

/* The order of the message's words; rounds 11 and 12 are as 1 and 2. */
static const unsigned char order[10][16] = {
	{ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
	{ 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3 },
	{ 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4 },
	{ 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8 },
	{ 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13 },
	{ 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9 },
	{ 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11 },
	{ 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10 },
	{ 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5 },
	{ 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0 },
};

static uint64_t
rotated(uint64_t x, unsigned bits)
{
	return x >> bits | x << (64 - bits);
}

/* A macro, so that all indexes are constants: this is most of the work. */
#define MIX(a, b, c, d, i)                             \
	do {                                           \
		v[a] += v[b] + words[at[2 * (i)]];     \
		v[d] = rotated(v[d] ^ v[a], 32);       \
		v[c] += v[d];                          \
		v[b] = rotated(v[b] ^ v[c], 24);       \
		v[a] += v[b] + words[at[2 * (i) + 1]]; \
		v[d] = rotated(v[d] ^ v[a], 16);       \
		v[c] += v[d];                          \
		v[b] = rotated(v[b] ^ v[c], 63);       \
	} while (0)

static void
compress(struct digest *d, bool is_last)
{
	uint64_t v[16], words[16];

	for (size_t i = 0; i < 16; i++) {
		memcpy(&words[i], d->block + 8 * i, 8);
		words[i] = le64toh(words[i]);
	}
	for (size_t i = 0; i < 8; i++) {
		v[i] = d->state[i];
		v[i + 8] = start[i];
	}
	v[12] ^= d->length;
	if (is_last)
		v[14] = ~v[14];
	for (size_t r = 0; r < ROUNDS; r++) {
		const unsigned char *at = order[r % COUNT_OF(order)];

		MIX(0, 4, 8, 12, 0);
		MIX(1, 5, 9, 13, 1);
		MIX(2, 6, 10, 14, 2);
		MIX(3, 7, 11, 15, 3);
		MIX(0, 5, 10, 15, 4);
		MIX(1, 6, 11, 12, 5);
		MIX(2, 7, 8, 13, 6);
		MIX(3, 4, 9, 14, 7);
	}
	for (size_t i = 0; i < 8; i++)
		d->state[i] ^= v[i] ^ v[i + 8];
}

void
digest_begin(struct digest *d)
{
	*d = (struct digest){ 0 };
	memcpy(d->state, start, sizeof(start));
	d->state[0] ^= 0x01010000 ^ DIGEST_BYTES;
}

void
digest_add(struct digest *d, struct str bytes)
{
	while (bytes.n > 0) {
		/* The last block is compressed with a mark, so a full one waits for what follows. */
		if (d->used == DIGEST_BLOCK_BYTES) {
			compress(d, false);
			d->used = 0;
		}
		size_t room = DIGEST_BLOCK_BYTES - d->used, n = bytes.n < room ? bytes.n : room;

		memcpy(d->block + d->used, bytes.s, n);
		d->used += n;
		d->length += n;
		bytes = str_rest(bytes, n);
	}
}

void
digest_add_number(struct digest *d, uint64_t number)
{
	char bytes[sizeof(number)];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(number >> 8 * i);
	digest_add(d, (struct str){ bytes, sizeof(bytes) });
}

void
digest_add_text(struct digest *d, struct str text)
{
	digest_add_number(d, text.s ? text.n : UINT64_MAX);
	digest_add(d, text);
}

struct str
digest_end(struct arena *a, struct digest *d)
{
	memset(d->block + d->used, 0, DIGEST_BLOCK_BYTES - d->used);
	compress(d, true);
	/* the bytes of a word are in the digest from the lowest to the highest */
	return str_fmt(a, "%016" PRIx64 "%016" PRIx64, bswap_64(d->state[0]), bswap_64(d->state[1]));
}

struct str
digest_of(struct arena *a, struct str bytes)
{
	struct digest d;

	digest_begin(&d);
	digest_add(&d, bytes);
	return digest_end(a, &d);
}
