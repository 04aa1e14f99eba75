/* SPDX-License-Identifier: MIT */
/* Code of other languages in a command line, by words: what deletes, what runs commands, what writes. */
#include "guards/rules.h"

/* Code of another language that the command has in its arguments or reads from the line; absent: none. */
static struct str
inline_code(const struct sh_words *w)
{
	const struct sh_command *c = w->command;
	const struct sh_row *files = sh_files_of(w), *row = NULL;
	bool is_interpreter = false;
	size_t next;

	if (files->files.does == SH_AWK)
		return sh_awk_program(c);
	while ((row = sh_next_row(w, SH_CODE, row, &next))) {
		is_interpreter = true;
		if (!*row->options && next < c->count)
			return c->args[next].text;
		for (struct sh_option o = sh_options(c, *files->options ? files->options : row->options);
		     sh_next_option(&o);)
			if (sh_is_value(&o, row->options))
				return o.value.text;
	}
	bool reads_input = c->count == 1 || (c->count > 1 && str_is(c->args[1].text, "-"));

	return is_interpreter && reads_input ? c->input : STR_NONE;
}

/* Words by which code of other languages runs commands. */
static const char running[] =
	"os.system|subprocess|child_process|execSync|spawnSync|system(|popen|exec(|`|Popen|system "
	"\"|system '|os.exec|exec \"|exec '|exec |spawn |qx|os.execute|do shell script|rm(\"";

/* Is one of the words there, which are separated by bars? is_start: not as the end of another word, such as `perform`. */
static bool
has_any(struct str code, const char *words, bool is_start)
{
	struct str list = str_from(words), one;

	while (str_next(&list, '|', &one)) {
		struct str rest = code;
		ptrdiff_t at;

		while ((at = str_find(rest, one)) >= 0) {
			char before = at > 0 ? (char)(rest.s[at - 1] | 0x20) : ' ';

			if (!is_start || before < 'a' || before > 'z')
				return true;
			rest = str_rest(rest, (size_t)at + 1);
		}
	}
	return false;
}

/* Does it have words that delete files, or that run commands which do? */
static bool
code_destroys(struct str code)
{
	static const char deleting[] =
		"rmtree|os.remove|os.unlink|.unlink(|unlink(|unlink "
		"|\"unlink\"|os.rmdir|removedirs|os.truncate|rmSync|fs.rm|promises.rm|await "
		"rm(|unlinkSync|rmdirSync|Deno.remove|FileUtils.rm|FileUtils.remove|File.delete|File.unlink|"
		"File.rm|rm_rf|rimraf|remove_tree|DROP TABLE|DROP DATABASE|delete_file|call "
		"delete(|deleteDir|file delete";
	static const char bad[] = "rm |rm'|rm\"|rm(\"|git reset|git push|git clean|mkfs|git checkout|git "
				  "restore|shred|b64decode|base64";
	return has_any(code, deleting, false) || (has_any(code, running, false) && has_any(code, bad, true));
}

/* os.system("git reset --hard"), run(["git", "reset", "--hard"]): texts in quotes as command lines, those with commas between them as
 * one. */
static void
check_run(struct guard_case *c, const struct sh_command *command, struct str code)
{
	struct buf text = BUF(c->arena, SHELL_LIMIT_BYTES);
	size_t last = 0;

	for (size_t i = 0; i < code.n; i++) {
		size_t end = i + 1;

		if (str_find_char(STR("'\"`"), code.s[i]) < 0)
			continue;
		while (end < code.n && code.s[end] != code.s[i])
			end += 1U + (code.s[end] == '\\');
		struct str between = str_trim(str_sub(code, last, i));

		buf_cat(&text, str_is_word_of(between, ", ,[ ],[ ],") ? " " : "\n",
			str_sub(code, i + 1, end < code.n ? end : code.n));
		i = end;
		last = end + 1 < code.n ? end + 1 : code.n;
	}
	struct sh_script s = sh_commands(
		c->arena, buf_str(&text),
		&(struct sh_facts){ command->cwd, c->request->home, NULL, NULL, STR_NONE });

	for (size_t i = 0; i < s.count; i++)
		guard_check_scripted(c, &s.items[i]);
}

void
guard_check_code(struct guard_case *c, const struct sh_words *w)
{
	const struct sh_command *command = w->command;
	struct str code = inline_code(w);
	static const char writing[] = "write|put_contents|'w|\"w|'a'|\"a\"|r+|rename|replace(|remove|unlink|"
				      "truncate|copy|move|dump|save|>|rmtree|rmSync";
	bool writes = code.s && has_any(code, writing, false);
	/* new files are not told from other texts */
	struct guard_case inner = *c;

	inner.ignores_new = true;
	if (!code.s)
		return;
	if (has_any(code, running, false))
		check_run(c, command, code);
	if (guard_has(c, SH_UNSAVED) && code_destroys(code))
		guard_unknown(c, STR("the code deletes files or runs commands"));
	if (guard_has(c, SH_UNSAVED) && code.n == 1 && code.s[0] == SH_HOLE)
		guard_unknown(c, STR("the code is the outcome of another command"));
	for (size_t i = 0; i < code.n; i++) {
		size_t end = i + 1;

		if (code.s[i] != '\'' && code.s[i] != '"' && code.s[i] != '`')
			continue;
		while (end < code.n && code.s[end] != code.s[i] && code.s[end] != '\n')
			end++;
		struct sh_arg path = { .text = str_sub(code, i + 1, end), .source = STR("code") };

		if (str_starts(path.text, STR("~/")) && c->request->home.s)
			path.text = str_cat(c->arena, c->request->home, str_rest(path.text, 1));
		struct effect e = { .kind = writes ? EFFECT_WRITE : EFFECT_READ,
				    .path = path,
				    .is_edit = true };

		if (end < code.n && path.text.n > 0 && path.text.n < PATH_LIMIT_BYTES &&
		    str_find_char(path.text, ' ') < 0) {
			guard_check_effect(&inner, command, &e);
			e.kind = EFFECT_READ;
			guard_check_effect(&inner, command, &e);
		}
		i = end;
	}
}
