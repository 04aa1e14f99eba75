/* SPDX-License-Identifier: MIT */
/* Both hashes take blocks of 64 bytes, as 16 words that are extended to 80 or 64. */
#include "base/sha.h"

#include <endian.h>
#include <inttypes.h>

#define BLOCK_BYTES 64
#define LENGTH_AT 56

static const uint32_t sha1_start[8] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
static const uint32_t sha256_start[8] = {
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static const uint32_t sha256_keys[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t
right(uint32_t x, unsigned bits)
{
	return x >> bits | x << (32 - bits);
}

static void
read_words(uint32_t words[16], const unsigned char *block)
{
	memcpy(words, block, BLOCK_BYTES);
	for (size_t i = 0; i < 16; i++)
		words[i] = be32toh(words[i]);
}

/* Macros, so that no word changes its place: this is most of the work. */
#define SHA1_STEP(a, b, c, d, e, mix, key, i)                                                                \
	do {                                                                                                 \
		if ((i) >= 16)                                                                               \
			w[(i)&15] = right(                                                                   \
				w[((i) + 13) & 15] ^ w[((i) + 8) & 15] ^ w[((i) + 2) & 15] ^ w[(i)&15], 31); \
		(e) += right(a, 27) + (mix) + (key) + w[(i)&15];                                             \
		(b) = right(b, 2);                                                                           \
	} while (0)
#define SHA1_CHOOSE(b, c, d) (((b) & ((c) ^ (d))) ^ (d))
#define SHA1_MAJOR(b, c, d) (((b) & (c)) | (((b) | (c)) & (d)))
#define SHA1_PARITY(b, c, d) ((b) ^ (c) ^ (d))
#define SHA1_FIVE(mix, key, i)                                        \
	do {                                                          \
		SHA1_STEP(a, b, c, d, e, mix(b, c, d), key, i);       \
		SHA1_STEP(e, a, b, c, d, mix(a, b, c), key, (i) + 1); \
		SHA1_STEP(d, e, a, b, c, mix(e, a, b), key, (i) + 2); \
		SHA1_STEP(c, d, e, a, b, mix(d, e, a), key, (i) + 3); \
		SHA1_STEP(b, c, d, e, a, mix(c, d, e), key, (i) + 4); \
	} while (0)

static void
sha1_block(uint32_t state[8], const unsigned char *block)
{
	uint32_t w[16], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];

	read_words(w, block);
	for (size_t i = 0; i < 20; i += 5)
		SHA1_FIVE(SHA1_CHOOSE, 0x5a827999, i);
	for (size_t i = 20; i < 40; i += 5)
		SHA1_FIVE(SHA1_PARITY, 0x6ed9eba1, i);
	for (size_t i = 40; i < 60; i += 5)
		SHA1_FIVE(SHA1_MAJOR, 0x8f1bbcdc, i);
	for (size_t i = 60; i < 80; i += 5)
		SHA1_FIVE(SHA1_PARITY, 0xca62c1d6, i);
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
}

static void
sha256_block(uint32_t state[8], const unsigned char *block)
{
	uint32_t w[64], v[8];

	read_words(w, block);
	for (size_t i = 16; i < COUNT_OF(w); i++) {
		uint32_t x = w[i - 15], y = w[i - 2];

		w[i] = w[i - 16] + w[i - 7] + (right(x, 7) ^ right(x, 18) ^ x >> 3) +
		       (right(y, 17) ^ right(y, 19) ^ y >> 10);
	}
	memcpy(v, state, sizeof(v));
	for (size_t i = 0; i < COUNT_OF(w); i++) {
		uint32_t e = v[4], a = v[0];
		uint32_t x = v[7] + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + ((e & v[5]) ^ (~e & v[6])) +
			     sha256_keys[i] + w[i];
		uint32_t y = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) +
			     ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[4] += x;
		v[0] = x + y;
	}
	for (size_t i = 0; i < 8; i++)
		state[i] += v[i];
}

void
sha_begin(struct sha *s, bool is_256)
{
	*s = (struct sha){ .is_256 = is_256 };
	memcpy(s->state, is_256 ? sha256_start : sha1_start, sizeof(s->state));
}

static void
add_block(struct sha *s, const unsigned char *block)
{
	if (s->is_256)
		sha256_block(s->state, block);
	else
		sha1_block(s->state, block);
}

void
sha_add(struct sha *s, struct str bytes)
{
	while (bytes.n > 0) {
		size_t used = s->length % BLOCK_BYTES, room = BLOCK_BYTES - used;
		size_t n = bytes.n < room ? bytes.n : room;

		if (n == BLOCK_BYTES) {
			add_block(s, (const unsigned char *)bytes.s);
		} else {
			memcpy(s->block + used, bytes.s, n);
			if (n == room)
				add_block(s, s->block);
		}
		s->length += n;
		bytes = str_rest(bytes, n);
	}
}

struct str
sha_end(struct arena *a, struct sha *s)
{
	static const char end[BLOCK_BYTES] = "\x80";
	uint64_t bits = htobe64(s->length * 8);
	size_t used = s->length % BLOCK_BYTES;
	struct buf hex = BUF(a, SHA256_CHARS);

	/* a bit, zeros, and the length at the end of a block */
	sha_add(s, (struct str){ end, (used < LENGTH_AT ? LENGTH_AT : LENGTH_AT + BLOCK_BYTES) - used });
	sha_add(s, (struct str){ (const char *)&bits, sizeof(bits) });
	for (size_t i = 0; i < (s->is_256 ? 8 : 5); i++)
		buf_addf(&hex, "%08" PRIx32, s->state[i]);
	return buf_str(&hex);
}
