/* SPDX-License-Identifier: MIT */
/* Hashes, compared with what sha1sum and sha256sum print. */
#include "test.h"

#include "base/sha.h"

TEST(a_hash_is_that_of_sha1sum_and_sha256sum_also_around_the_ends_of_blocks)
{
	static const struct {
		const char *name, *sha1, *sha256;
		size_t letters; /* so many times 'a' */
	} rows[] = {
		{ "nothing", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
		  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", 0 },
		{ "a letter", "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8",
		  "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb", 1 },
		{ "room for the length", "c1c8bbdc22796e28c0e15163d20899b65621d65a",
		  "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318", 55 },
		{ "no room for the length", "c2db330f6083854c99d4b5bfb6e8f29f201be699",
		  "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a", 56 },
		{ "one less than a block", "03f09f5b158a7a8cdad920bddc29b81c18a551f5",
		  "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34", 63 },
		{ "a block", "0098ba824b5c16427bd7a1122a5a442a25ec644d",
		  "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb", 64 },
		{ "more than a block", "11655326c708d70319be2610e8a57d9a5b959d3b",
		  "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0", 65 },
		{ "several blocks", "291e9a6c66994949b57ba5e650361e98fc36b1ba",
		  "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3", 1000 },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	char letters[1000];

	memset(letters, 'a', sizeof(letters));
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct str text = { letters, rows[i].letters }, piece = { letters, 7 };
		struct sha whole, pieces;

		sha_begin(&whole, false);
		sha_add(&whole, text);
		CHECK_ROW(rows[i].name, str_is(sha_end(&a, &whole), rows[i].sha1));
		sha_begin(&pieces, true);
		for (size_t left = text.n; left > 0; left -= piece.n) {
			piece.n = left < 7 ? left : 7;
			sha_add(&pieces, piece);
		}
		CHECK_ROW(rows[i].name, str_is(sha_end(&a, &pieces), rows[i].sha256));
	}
}
