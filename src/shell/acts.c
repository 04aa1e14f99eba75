/* SPDX-License-Identifier: MIT */
/* What commands do that loses work or cannot be taken back: the acts of the rows ACT, and the conditions of the rows ACT_IF. */
#include "shell/programs.h"

#include "base/path.h"

#define KEEP "commit or `git stash` the changes first, or ask the user"
#define LOSES "throws away changes that are not committed"
#define ASK_USER "ask the user"

static const struct sh_act acts[] = {
#define ACT_TEXT(id, set, rule, verdict, what, instead) [SH_##id] = { set, rule, verdict, what, instead },
#include "shell/acts.def"
};

/* Is one of the arguments, from this one on, among those that have bars between them, in letters of any case? */
static bool
has_arg(const struct sh_command *c, size_t from, const char *args)
{
	for (size_t i = from; i < c->count; i++)
		if (sh_is_listed(str_from(args), c->args[i].text, true))
			return true;
	return false;
}

/* ---- git ---- */

/* +refs and :refs of a push are a force and a deletion. */
bool
sh_forces_by_refspec(const struct sh_words *w)
{
	for (size_t i = 3; i < w->count; i++)
		if (w->items[i].n > 1 && sh_is_listed(STR("+*|:*|*:+*"), w->items[i], false))
			return true;
	return false;
}

/* git checkout -- files, git checkout ., git checkout REVISION -- files */
bool
sh_checks_out_files(const struct sh_words *w)
{
	const struct sh_command *c = w->command;

	for (size_t i = 1; i + 1 < c->count; i++)
		if (str_is(c->args[i].text, "--"))
			return true;
	return w->count > 2 && sh_is_listed(STR(".|./*|:/*"), w->items[w->count - 1], false);
}

bool
sh_turns_off_hooks(const struct sh_words *w)
{
	const struct sh_command *c = w->command;

	for (size_t i = 0; i < c->assignments.count; i++) {
		struct str t = c->assignments.items[i];

		if (sh_is_listed(STR("HUSKY=0|HUSKY_SKIP_HOOKS=1|LEFTHOOK=0|SKIP=*"), t, false) ||
		    (str_starts(t, STR("GIT_CONFIG_KEY_")) && str_find(t, STR("=core.hooks")) > 0))
			return true;
	}
	return false;
}

/* git apply -R, of what another command prints */
bool
sh_takes_back(const struct sh_words *w)
{
	return w->command->is_piped && sh_has_option(w->command, "R --reverse");
}

/* ---- data that is not in files ---- */

static struct str
next_word(struct str *text)
{
	size_t from = 0, end;

	while (from < text->n && str_find_char(STR(" \t\n;\"'"), text->s[from]) >= 0)
		from++;
	for (end = from; end < text->n && str_find_char(STR(" \t\n;(\"'"), text->s[end]) < 0;)
		end++;
	struct str word = str_sub(*text, from, end);

	*text = str_sub(*text, end, text->n);
	return word;
}

/* DROP, TRUNCATE; DELETE and UPDATE of all rows; ALTER ... DROP. Comments and what explains it are no statements. */
static bool
statement_deletes(struct str text)
{
	struct str rest = text, verb = next_word(&rest), word = next_word(&rest);
	bool is_alter = str_is_word(verb, "alter"), has_where = false, has_drop = false, has_set = false;
	static const char objects[] = "table|tables|database|schema|keyspace|index|view|column|role|user|"
				      "materialized|sequence|type|trigger|if|tablespace|owned";

	if (str_is_word(verb, "truncate"))
		return word.n > 0;
	if (str_is_word(verb, "drop") || str_is_word(verb, ".drop"))
		return sh_is_listed(str_from(objects), word, true);
	for (; word.n > 0; word = next_word(&rest)) {
		has_where |= str_is_word(word, "where");
		has_drop |= str_is_word(word, "drop");
		has_set |= str_is_word(word, "set");
	}
	return is_alter ? has_drop
			: !has_where &&
				  (str_is_word(verb, "delete") || (str_is_word(verb, "update") && has_set));
}

static bool
sql_deletes(struct str text)
{
	struct str one;

	while (text.s && str_next(&text, ';', &one))
		if (statement_deletes(one))
			return true;
	return false;
}

bool
sh_deletes_by_sql(const struct sh_words *w)
{
	const struct sh_command *c = w->command;

	/* a database in a file that nobody misses */
	if (w->count > 1 && sh_is_listed(STR("/tmp/*|/var/tmp/*|:memory:"), w->items[1], false))
		return false;
	for (size_t i = 1; i < c->count; i++) {
		/* --execute=TEXT, -eTEXT */
		struct str t = c->args[i].text, glued = str_starts(t, STR("--"))
								? str_rest(t, str_before(t, '=').n + 1)
							: str_starts(t, STR("-")) ? str_rest(t, 2)
										  : t;

		if (sql_deletes(glued))
			return true;
	}
	return sql_deletes(c->input);
}

/* gh api -X DELETE, curl -X DELETE, but for what runs on this machine */
bool
sh_sends_delete(const struct sh_words *w)
{
	bool is_delete = false;

	if (has_arg(w->command, 1, "*localhost*|*127.0.0.1*|*0.0.0.0*|*[::1]*"))
		return false;
	for (struct sh_option o = sh_options(w->command, "X --method --request"); sh_next_option(&o);)
		is_delete |= sh_is_option(&o, "X --method --request") && str_is_word(o.value.text, "delete");
	return is_delete;
}

/* ---- the machine ---- */

/* chmod -R 777 /etc: directories of the system, and homes */
bool
sh_changes_everything(const struct sh_words *w)
{
	static const char dirs[] = "/|/etc|/usr|/var|/bin|/sbin|/lib|/lib64|/boot|/home|/root|/dev|/sys|"
				   "/proc|/Users|/System|/Library|/Applications";
	bool is_recursive = sh_has(w, "R --recursive");

	for (size_t i = 1; i < w->count; i++) {
		struct str t = path_tidy(w->items[i]), parent = path_parent(t);

		if (is_recursive &&
		    (sh_is_listed(str_from(dirs), t, false) || str_is_word_of(parent, "/home /Users")))
			return true;
		/* what find has found below the root */
		if (i > 1 && str_is_word_of(t, "/* /\xFF"))
			return true;
		if (i == 1 && is_recursive && str_is_word_of(t, "0 00 000 0000 a-rwx a= ugo-rwx"))
			return true;
	}
	return false;
}

/* kill -9 -1, kill 1 */
bool
sh_kills_everything(const struct sh_words *w)
{
	const struct sh_command *c = w->command;

	return has_arg(c, 2, "-1") || (has_arg(c, 1, "1") && !has_arg(c, 1, "-0|-l|-s"));
}

/* What is below /dev is a device, apart from what holds nothing. */
static bool
is_device(struct str path)
{
	static const char harmless[] = "null|zero|full|random|urandom|tty*|pts*|ptmx|std*|fd*|shm*|console|"
				       "log|mqueue*|tcp/*|udp/*|cu.*|usb/lp*|dsp|audio|snd*|kmsg|initctl";

	if (str_is(path, "/proc/sysrq-trigger"))
		return true;
	return str_skip(&path, "/dev/") && path.n > 0 && !sh_is_listed(str_from(harmless), path, false);
}

/* mkfs /dev/sda1; a file may hold a file system, too */
bool
sh_names_device(const struct sh_words *w)
{
	for (size_t i = 1; i < w->count; i++)
		if (is_device(w->items[i]) || sh_has_hole(w->items[i]))
			return true;
	return false;
}

/* dd of=/dev/sda, tee /dev/sda, cp x /dev/sda */
bool
sh_writes_device(const struct sh_words *w)
{
	for (size_t i = 1; i < w->count; i++) {
		struct str path = w->items[i];

		if (is_device(path) ? i > 1 || str_is_word_of(w->items[0], "tee shred")
				    : str_skip(&path, "of=") && is_device(path))
			return true;
	}
	return false;
}

/* ---- the rows ---- */

const struct sh_act *
sh_act_of(const struct sh_words *w, const char **ret_option)
{
	const struct sh_command *c = w->command;
	const struct sh_row *row = NULL;

	*ret_option = NULL;
	for (size_t i = 0; i < c->file_count; i++)
		if (c->files[i].is_written && is_device(c->files[i].path.text))
			return &acts[SH_DISK];
	while (!c->is_wrapper && (row = sh_next_row(w, SH_ACT, row, NULL)))
		if ((!*row->options || sh_has(w, row->options)) &&
		    (!*row->act.without || !sh_has(w, row->act.without)) && !sh_is_dry(w) &&
		    (!row->act.args || has_arg(c, 1, row->act.args) ||
		     (c->input.s && sh_is_listed(str_from(row->act.args), c->input, true))) &&
		    (!row->act.when || row->act.when(w))) {
			*ret_option = row->act.allows;
			return &acts[row->act.id];
		}
	return NULL;
}

const struct sh_act *
sh_act(enum sh_act_id id)
{
	return &acts[id];
}
