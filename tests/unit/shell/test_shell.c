/* SPDX-License-Identifier: MIT */
/* The commands that a line comes to: a row for each way to spell one, what is unknown, and both sides of every limit. What they
 * mean to guards is in tests/guards. */
#include "test.h"

#include "base/buf.h"
#include "shell/shell.h"
#include "shell/syntax.h"

/* Commands in the order in which they were found, separated by "; ". Holes are ?, wrappers in parentheses, problems !. */
static struct str
shown(struct arena *a, struct str line)
{
	struct sh_facts facts = { .cwd = STR("/p"), .home = STR("/home/u") };
	struct sh_script s = sh_commands(a, line, &facts);
	struct buf b = BUF(a, SIZE_MAX);

	if (s.problem.s)
		return STR("!!");
	for (size_t i = 0; i < s.count; i++) {
		const struct sh_command *c = &s.items[i];

		buf_add(&b, i > 0 ? STR("; ") : STR(""));
		buf_add(&b, c->is_wrapper ? STR("(") : STR(""));
		for (size_t k = 0; k < c->count; k++) {
			buf_add(&b, k > 0 ? STR(" ") : STR(""));
			for (size_t n = 0; n < c->args[k].text.n; n++) {
				char byte = c->args[k].text.s[n];

				buf_addc(&b, byte == SH_HOLE || byte == SH_HOLE_ENV ? '?' : byte);
			}
		}
		for (size_t k = 0; k < c->file_count; k++)
			buf_addf(&b, "%s" STR_FMT, c->files[k].is_written ? ">" : "<",
				 STR_ARG(c->files[k].path.text));
		buf_add(&b, c->is_wrapper ? STR(")") : STR(""));
		buf_add(&b, c->problem.s ? STR("!") : STR(""));
		if (!str_is(c->cwd, "/p"))
			buf_addf(&b, " @" STR_FMT, STR_ARG(c->cwd));
	}
	return buf_str(&b);
}

static const struct {
	const char *line, *commands;
} rows[] = {
	{ "", "" },
	{ "a b  c", "a b c" },
	{ "a 'b c' \"d\"e \\f", "a b c de f" },
	{ "a $'\\x41\\n\\u00e4'", "a A\n\xC3\xA4" },
	{ "a >b 2>&1 <c", "a>b<c" },
	{ "a {b,c}{d,e}", "a bd be cd ce" },
	{ "a {b} '{c,d}'", "a {b} {c,d}" },
	{ "x=1; a $x ${x}y ${z:-w}", "a 1 1y w" },
	{ "x='b c'; a $x \"$x\"", "a b c b c" },
	{ "a $unset", "a ?" },
	{ "a $(b)", "b; a ?" },
	{ "a $(echo b)", "echo b; a b" },
	{ "$(echo a) b", "echo a; a b" },
	{ "$a b", "? b!" },
	{ "cd d && a; b", "cd d; a @/p/d; b @/p/d" },
	{ "(cd d; a); b", "cd d; a @/p/d; b" },
	{ "cd; a ~/b", "cd; a /home/u/b @/home/u" },
	{ "true && x=1; a $x", "true; a ?" },
	{ "for i in 1 2; do a $i; done", "a 1; a 2" },
	{ "f() { a \"$1\"; }; f 2", "a 2" },
	{ "f() { f; }", "" },
	{ "env -u x Y=1 a b", "a b; (env -u x Y=1 a b)" },
	{ "sh -c 'a $0 $1' b c", "a b c; (sh -c a $0 $1 b c)" },
	{ "sh -c \"$x\"", "?!; (sh -c ?)" },
	{ "echo a b | sh", "echo a b; a b; (sh)" },
	{ "a | sh", "a; !; (sh)" },
	{ "eval a \"$(b)\"", "b; !; (eval a ?)" },
	{ "find d -exec a {} \\;", "find d -exec a {} ;; a d/?" },
	{ "a | xargs b", "a; b ?; (xargs b)" },
	{ "trap 'a $x' EXIT; x=1", "(trap a $x EXIT); a 1" },
	{ "cat <<E\n$x $(a)\nE", "a; cat" },
	{ "cat <<'E'\n$(a)\nE", "cat" },
	{ "a $[1 + $(b)] $[c[2]]", "b; a ? ?" },
	{ "echo $[ x='a[$(b)]' ]", "b; echo ?" },
	{ "a $[1", "!!" },
	{ "sort --compress-program=b c", "cat; b; sort --compress-program=b c" },
	{ "sort --compress-pr 'b c' d", "cat; b c; sort --compress-pr b c d" },
	{ "tar --checkpoint-action=exec='a b' c", "a b; tar --checkpoint-action=exec=a b c" },
	{ "tar --checkpoint-action=dot c", "tar --checkpoint-action=dot c" },
	{ "git -c core.pager=a log", "a; git -c core.pager=a log" },
	{ "git -c user.name=a log", "git -c user.name=a log" },
	{ "sed '1,/x/e a b' c", "a b; sed 1,/x/e a b c" },
	{ "sed -n 's/[/]e/x/;s/a/e/p;/e/{p;d}' c", "sed -n s/[/]e/x/;s/a/e/p;/e/{p;d} c" },
	{ "sed -e 'y/abc/xyz/;$!N;a\\' -e 'e a' c", "a; sed -e y/abc/xyz/;$!N;a\\ -e e a c" },
	{ "a 'b", "!!" },
	{ "a $(b", "!!" },
	{ "if a; then b", "!!" },
	{ "a;; b", "!!" },
	{ "<<", "!!" },
};

TEST(a_line_comes_to_the_commands_that_a_shell_would_run)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str now = shown(&a, str_from(rows[i].line));

		if (!str_is(now, rows[i].commands))
			fail_msg("%s: %.*s, not %s", rows[i].line, STR_ARG(now), rows[i].commands);
	}
}

static struct str
repeated(struct arena *a, const char *text, size_t count, const char *end)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < count; i++)
		buf_add(&b, str_from(text));
	buf_add(&b, str_from(end));
	return buf_str(&b);
}

TEST(a_line_is_parsed_up_to_the_limits)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct sh_node *tree;
	struct err err;
	size_t bytes = SHELL_LIMIT_BYTES;

	CHECK(sh_parse(&a, repeated(&a, "a", bytes, ""), &tree, &err) == 0);
	CHECK(sh_parse(&a, repeated(&a, "a", bytes + 1, ""), &tree, &err) < 0);
	CHECK(sh_parse(&a, repeated(&a, "a ", SHELL_NODES_LIMIT / 2 - 10, ""), &tree, &err) == 0);
	CHECK(sh_parse(&a, repeated(&a, "a ", SHELL_NODES_LIMIT, ""), &tree, &err) < 0);
	/* a subshell is two levels: a list and a command */
	CHECK(sh_parse(&a, repeated(&a, "(", SHELL_DEPTH_LIMIT / 2 - 2, ""), &tree, &err) < 0);
	CHECK(!strstr(err.msg, "too deeply"));
	CHECK(sh_parse(&a, repeated(&a, "(", 100000, ""), &tree, &err) < 0 && strstr(err.msg, "too deeply"));
	CHECK(sh_parse(&a, (struct str){ "a\0b", 3 }, &tree, &err) < 0);
}

TEST(what_would_run_forever_or_grow_without_end_is_unknown)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	static const char *const lines[] = {
		"f() { f | f; }; f",
		"f() { g; g; }; g() { f; f; }; f",
		"for a in {1,2,3,4,5,6,7,8,9}; do for b in $x 1 2 3 4 5 6 7 8 9; do for c in 1 2 3 4 5 6 7 8 "
		"9; do "
		"for d in 1 2 3 4 5 6 7 8 9; do for e in 1 2 3 4 5 6 7 8 9; do x=1; done; done; done; done; "
		"done; a",
	};

	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		struct str now = shown(&a, str_from(lines[i]));

		if (str_find_char(now, '!') < 0)
			fail_msg("%s is known", lines[i]);
	}
	struct str doubled = repeated(&a, "x=$x$x;", 40, "a $x");

	struct str now = shown(&a, str_fmt(&a, "x=1;" STR_FMT, STR_ARG(doubled)));

	CHECK(str_starts(now, STR("a ?")) && now.n < 2 * SHELL_LIMIT_BYTES);
}

/* Each of these takes minutes, or all of the memory, where a part is read again for each of the others. */
TEST(a_long_line_is_read_in_one_pass)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str now = shown(&a,
			       str_fmt(&a, "sed '" STR_FMT, STR_ARG(repeated(&a, "d;", 400000, "e a' b"))));
	CHECK(str_starts(now, STR("a; sed d;d;")));
	now = shown(&a, str_fmt(&a, "awk '" STR_FMT STR_FMT, STR_ARG(repeated(&a, " ", 300000, "")),
				STR_ARG(repeated(&a, "\"\"", 100000, "system( \"a\")'"))));
	CHECK(str_starts(now, STR("a; awk ")));
	now = shown(&a, str_fmt(&a, "echo " STR_FMT STR_FMT, STR_ARG(repeated(&a, "x", 600000, "")),
				STR_ARG(repeated(&a, " >a", 9000, ""))));
	CHECK(str_starts(now, STR("echo xxx")) && str_ends(now, STR(">a>a")));
}
