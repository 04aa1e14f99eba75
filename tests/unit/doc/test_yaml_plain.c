/* SPDX-License-Identifier: MIT */
/* The quick reader of YAML: what it reads is what libyaml reads, and what it leaves to libyaml. The fuzz target compares whole
 * trees with their positions. */
#include "test.h"

#include "base/buf.h"
#include "doc/json.h"
#include "doc/yaml.h"
#include "doc/yaml_plain.h"

static const char *const plain[] = {
	"a: b\n",
	"a: b",
	"# comment\n\na: b # more\n  # at the end\n",
	"a:\nb: ~\nc:   # nothing\n",
	"a:\n  b: 1\n  c:\n    d: true\ne: 1.5\n",
	"a:\n- b\n- c\nd: e\n",
	"a:\n  - b\n  -\n  - c: 1\n    d:\n    - 2\n  - e:f\n",
	"- a: 1\n  b: [x, y z, \"q, r\", 'it']\n- {k: v, l: [1, {m: n}]}\n- []\n- {}\n",
	"run: npm test -- --grep=x#y:z\n",
	"a: -x\nb: +1\nc: 0x1f\nd: null\ne: \"\"\n",
	"a: 'x' # y\n",
	"a: (b)\nc: $D\nd: ./e\nf: /g/**\n",
	/* lists of words, which are read at once up to a line that is different */
	"a:\n  - one and another\n  - two words\n  - three\n  - true\n  - null\nb: a longer text\n",
	"a:\n  - one and another\n  - two words # comment\n  - three words\n",
	"a:\n  - one and another\n  - two words\n  - three: 4\n    five: 5\n  - six words\n",
	"a:\n  - one and another\n  - two words \n  - three words\n\n  - four words\n  # five\n  - six\n",
	"- one and another\n- two words\n-  three words\n- 'four words'\n- 5 words and more\n- 6",
	"a:\n- one and another\n- two words\nb:\n- three words\n- four words and more\n",
	"a:\n            - one and another\n            - two words\n            - three words and more\n",
	"a:\n              - one and another\n              - two words\n              - three words\n",
	"a:\n  - one and a word#and:another that is longer than sixteen bytes\n  - two words and more\n",
};

static const char *const others[] = {
	"",
	"a",
	"a: \xC3\xA4\n",
	"a:\tb\n",
	"a: b\r\n",
	"---\na: b\n",
	"a: b\n...\n",
	" a: b\n",
	"\"a\": b\n",
	"a: |\n  b\n",
	"a: b\n  c\n",
	"a: *b\n",
	"a: &b c\n",
	"a: !!str 1\n",
	"a: b: c\n",
	"a: \"\\n\"\n",
	"a: 'it''s'\n",
	"a: [b,\n  c]\n",
	"a: [b, ]\n",
	"a: [b: c]\n",
	"a: [*b]\n",
	"- - a\n",
	"a: b\n- c\n",
	"a:\n  b: c\n d: e\n",
	"a: \"b\" c\n",
	"a: [b] c\n",
	"a: \"b\n",
	"? a\n",
	"a: - b\n",
	"a:\n  - one and another\n  - two words\n    and more of it\nb: a longer text\n",
	"a:\n  - one and another\n  - two words\n - three words\nb: a longer text\n",
	"a:\n  - one and another\n  - two: words: and more of them\nb: a longer text\n",
	"a:\n  - one and another\n  - two words:\n  - three words and more\n",
};

static struct str
as_json(struct arena *a, const struct node *n)
{
	struct buf b = BUF(a, MIB(1));

	json_add_node(&b, n);
	return buf_str(&b);
}

TEST(yaml_plain_reads_what_libyaml_reads)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(plain); i++) {
		struct str text = str_from(plain[i]);
		struct node quick, full;
		struct err err;

		CHECK_ROW(plain[i], yaml_read_plain(&a, text, &quick));
		CHECK_ROW(plain[i], yaml_parse_any(&a, text, &full, &err) == 0);
		CHECK_ROW(plain[i], str_eq(as_json(&a, &quick), as_json(&a, &full)));
		CHECK_ROW(plain[i], quick.span.end == full.span.end);
	}
}

TEST(yaml_plain_leaves_everything_else_to_libyaml)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(others); i++) {
		struct node n;

		CHECK_ROW(others[i], !yaml_read_plain(&a, str_from(others[i]), &n));
	}
}
