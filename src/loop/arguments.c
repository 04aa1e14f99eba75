/* SPDX-License-Identifier: MIT */
/* Parses the text after a slash command. Pure. */
#include "loop/loop.h"

#include "base/nearest.h"

static const struct str names[] = {
	STR("--max-iterations"), STR("--completion-promise"), STR("--prompt-file"), STR("--mode"),
	STR("--force"),
};

/* The length of a quoted piece at the start, whose closing quote is followed by a blank or the end; 0: there is none. */
static size_t
quoted_length(struct str x)
{
	if (x.n < 2 || (x.s[0] != '"' && x.s[0] != '\''))
		return 0;
	for (size_t i = 1; i < x.n; i++)
		if (x.s[i] == x.s[0] && (i + 1 == x.n || str_is_blank(x.s[i + 1])))
			return i + 1;
	return 0;
}

static size_t
word_length(struct str x)
{
	size_t n = quoted_length(x);

	if (n > 0)
		return n;
	while (n < x.n && !str_is_blank(x.s[n]))
		n++;
	return n;
}

static struct str
unquoted(struct str word)
{
	return word.n > 1 && quoted_length(word) == word.n ? str_sub(word, 1, word.n - 1) : word;
}

static int
fail_unknown(struct str name, struct err *err)
{
	struct str near[NEAREST_MAX];

	if (nearest(name, names, COUNT_OF(names), near) > 0)
		return err_set(err, ERR_USAGE, "unknown option '" STR_FMT "'; did you mean '" STR_FMT "'?",
			       STR_ARG(name), STR_ARG(near[0]));
	return err_set(err, ERR_USAGE,
		       "unknown option '" STR_FMT "'; if it is part of the prompt, put the prompt in quotes",
		       STR_ARG(name));
}

/* Takes the option that *text begins with, and its value. */
static int
take_option(struct str *text, struct loop_arguments *args, struct err *err)
{
	/* In the order of their names; --force has none. */
	struct str *const values[COUNT_OF(names)] = { &args->max_iterations, &args->completion_promise,
						      &args->prompt_file, &args->mode, NULL };
	size_t length = 0, option = 0;

	while (length < text->n && !str_is_blank(text->s[length]) && text->s[length] != '=')
		length++;
	struct str name = str_sub(*text, 0, length), rest = str_sub(*text, length, text->n);
	bool has_equals = rest.n > 0 && rest.s[0] == '=';

	while (option < COUNT_OF(names) && !str_eq(name, names[option]))
		option++;
	if (option == COUNT_OF(names))
		return fail_unknown(name, err);
	if (!values[option]) {
		if (has_equals)
			return err_set(err, ERR_USAGE, "--force takes no value");
		args->is_forced = true;
		*text = rest;
		return 0;
	}
	rest = has_equals ? str_sub(rest, 1, rest.n) : str_trim(rest);
	struct str word = str_sub(rest, 0, word_length(rest));

	if (word.n == 0 || (!has_equals && str_starts(word, STR("--"))))
		return err_set(err, ERR_USAGE, STR_FMT " needs a value", STR_ARG(name));
	*values[option] = unquoted(word);
	*text = str_sub(rest, word.n, rest.n);
	return 0;
}

/* The length of the prompt's piece before the next option, without trailing blanks. */
static size_t
piece_length(struct str text)
{
	size_t at = 0, end = 0;

	while (at < text.n) {
		struct str rest = str_sub(text, at, text.n);

		if (str_is_blank(rest.s[0])) {
			at++;
			continue;
		}
		if (str_starts(rest, STR("--")))
			break;
		at += word_length(rest);
		end = at;
	}
	return end;
}

/* Claude Code writes `a \!b` for `a !b`, so that the shell expands nothing. */
static struct str
without_backslashes(struct arena *a, struct str text)
{
	struct buf out = BUF(a, text.n + 1);

	for (size_t i = 0; i < text.n; i++) {
		bool begins_word = i == 0 || str_is_blank(text.s[i - 1]);

		if (!begins_word || !str_starts(str_sub(text, i, text.n), STR("\\!")))
			buf_addc(&out, text.s[i]);
	}
	return buf_str(&out);
}

/* Removes the %% lines around the text, where it has them. */
static int
take_frame(struct arena *a, struct str *text, struct err *err)
{
	struct str rest = *text;

	if (!str_starts(rest, STR("%%\n")))
		return 0;
	rest = str_rest(rest, 2); /* keeps the line break: the closing line may follow at once */
	if (!str_ends(rest, STR("\n%%\n")))
		return err_set(err, ERR_USAGE,
			       "the text is cut off, perhaps by three backquotes in it; pass the prompt with "
			       "--prompt-file");
	*text = without_backslashes(a, str_sub(rest, 0, rest.n - 4));
	return 0;
}

int
loop_arguments_parse(struct arena *a, struct str text, struct loop_arguments *ret, struct err *err)
{
	struct loop_arguments args = { 0 };
	struct buf prompt = BUF(a, STATE_LIMIT_BYTES);
	size_t pieces = 0;

	if (take_frame(a, &text, err) < 0)
		return -1;
	for (text = str_trim(text); text.n > 0; text = str_trim(text)) {
		size_t n = piece_length(text);
		bool is_rest = str_starts(text, STR("--")) && (text.n == 2 || str_is_blank(text.s[2]));

		if (is_rest) {
			text = str_trim(str_sub(text, 2, text.n));
			n = text.n;
		}
		if (n == 0 && !is_rest) {
			if (take_option(&text, &args, err) < 0)
				return -1;
			continue;
		}
		if (pieces++ > 0)
			buf_addc(&prompt, ' ');
		buf_add(&prompt, str_sub(text, 0, n));
		text = str_sub(text, n, text.n);
	}
	args.prompt = str_trim(unquoted(str_trim(buf_str(&prompt))));
	*ret = args;
	return 0;
}
