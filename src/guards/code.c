/* SPDX-License-Identifier: MIT */
/* Code of other languages in a command line, by words: what deletes, what runs commands, what writes. */
#include "guards/effects.h"

static const struct {
	const char *program, *option;
} interpreters[] = {
	{ "python", "-c" }, { "python3", "-c" }, { "python2", "-c" },  { "node", "-e" },
	{ "node", "-p" },   { "nodejs", "-e" },  { "node", "--eval" }, { "deno", "eval" },
	{ "bun", "-e" },    { "ruby", "-e" },    { "perl", "-e" },     { "perl", "-E" },
	{ "php", "-r" },    { "lua", "-e" },     { "Rscript", "-e" },  { "osascript", "-e" },
	{ "pypy", "-c" },   { "julia", "-e" },   { "groovy", "-e" },   { "elixir", "-e" },
	{ "guile", "-c" },  { "expect", "-c" },  { "tclsh", "-c" },    { "jrunscript", "-e" },
	{ "vim", "-c" },    { "nvim", "-c" },    { "ex", "-c" },       { "gdb", "-ex" },
};

struct str
inline_code(const struct sh_command *c)
{
	struct str program = sh_program(c);
	bool is_interpreter = false;

	if (str_is(program, "awk") || str_is(program, "gawk") || str_is(program, "mawk") ||
	    str_is(program, "nawk"))
		return sh_awk_program(c);
	for (size_t i = 0; i < COUNT_OF(interpreters); i++) {
		if (!str_starts(program, str_from(interpreters[i].program)))
			continue;
		is_interpreter = true;
		for (size_t k = 1; k + 1 < c->count; k++) {
			struct str t = c->args[k].text;

			/* -ne, -pie: a cluster that ends in the letter */
			if (str_is(t, interpreters[i].option) ||
			    (t.n > 2 && t.n < 6 && t.s[0] == '-' && t.s[1] != '-' &&
			     interpreters[i].option[1] != '-' && t.s[t.n - 1] == interpreters[i].option[1]))
				return c->args[k + 1].text;
		}
		for (size_t k = 1; k < c->count; k++) {
			struct str t = c->args[k].text, option = str_from(interpreters[i].option);
			bool is_long = option.n > 2;

			/* -c'code', --eval=code */
			if (str_starts(t, option) && t.n > option.n && option.s[0] == '-' &&
			    (!is_long || t.s[option.n] == '='))
				return str_sub(t, option.n + is_long, t.n);
		}
	}
	bool reads_input = c->count == 1 || (c->count > 1 && str_is(c->args[1].text, "-"));

	return is_interpreter && reads_input ? c->input : STR_NONE;
}

static bool
has_any(struct str code, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (str_find(code, str_from(words[i])) >= 0)
			return true;
	return false;
}

/* Not the end of another word, such as `perform`. */
static bool
has_any_word(struct str code, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct str rest = code;
		ptrdiff_t at;

		while ((at = str_find(rest, str_from(words[i]))) >= 0) {
			char before = at > 0 ? rest.s[at - 1] : ' ';

			if (!((before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z')))
				return true;
			rest = str_sub(rest, (size_t)at + 1, rest.n);
		}
	}
	return false;
}

bool
code_destroys(struct str code)
{
	static const char *const deleting[] = {
		"rmtree",      "os.remove",     "os.unlink",    ".unlink(",         "unlink(",
		"unlink ",     "\"unlink\"",    "os.rmdir",     "removedirs",       "os.truncate",
		"rmSync",      "fs.rm",         "promises.rm",  "await rm(",        "unlinkSync",
		"rmdirSync",   "Deno.remove",   "FileUtils.rm", "FileUtils.remove", "File.delete",
		"File.unlink", "File.rm",       "rm_rf",        "rimraf",           "remove_tree",
		"DROP TABLE",  "DROP DATABASE", "delete_file",  "call delete(",     "deleteDir",
		"file delete"
	};
	static const char *const running[] = { "os.system", "subprocess", "child_process", "execSync",
					       "spawnSync", "system(",    "popen",         "exec(",
					       "`",         "Popen",      "system \"",     "system '",
					       "os.exec",   "exec \"",    "exec '",        "exec ",
					       "spawn ",    "qx",         "os.execute",    "do shell script",
					       "rm(\"" };
	static const char *const bad[] = { "rm ",      "rm'",       "rm\"",  "rm(\"",        "git reset",
					   "git push", "git clean", "mkfs",  "git checkout", "git restore",
					   "shred",    "b64decode", "base64" };

	return has_any(code, deleting, COUNT_OF(deleting)) ||
	       (has_any(code, running, COUNT_OF(running)) && has_any_word(code, bad, COUNT_OF(bad)));
}

bool
code_writes(struct str code)
{
	static const char *const writing[] = { "write",    "put_contents", "'w",     "\"w",
					       "'a'",      "\"a\"",        "r+",     "rename",
					       "replace(", "remove",       "unlink", "truncate",
					       "copy",     "move",         "dump",   "save",
					       ">",        "rmtree",       "rmSync" };

	return has_any(code, writing, COUNT_OF(writing));
}
