/* SPDX-License-Identifier: MIT */
/* Acts on data that is not in files of the project: databases, services, other version control. */
#include "guards/effects.h"

static const struct act database = { "database", ACT_ASK, "deletes data of a database", "ask the user",
				     NULL };
static const struct act cloud = { "cloud", ACT_ASK, "deletes data or services in the cloud", "ask the user",
				  NULL };
static const struct act revert = { "revert", ACT_DENY, "throws away changes that are not committed",
				   "commit the changes first, or ask the user", NULL };
static const struct act checks = { "git-hooks", ACT_DENY, "turns off the project's own checks",
				   "fix what the hooks report", NULL };

/* One of the words of `verbs`, which are separated by blanks, anywhere after the program; * at an end stands for anything. */
static const struct {
	const char *programs, *verbs;
	const struct act *act;
} acts[] = {
	{ "redis-cli valkey-cli", "flushall flushdb", &database },
	{ "rails rake", "db:drop* db:reset* db:purge* db:truncate*", &database },
	{ "artisan", "migrate:fresh migrate:reset migrate:refresh db:wipe", &database },
	{ "manage.py", "flush reset_db", &database },
	{ "prisma supabase", "reset --force-reset", &database },
	{ "terraform tofu", "-destroy --destroy", &cloud },
	{ "aws", "delete-* terminate-* --delete", &cloud },
	{ "gcloud az doctl railway flyctl fly", "delete destroy purge", &cloud },
	{ "heroku", "*:destroy *:reset *:delete", &cloud },
	{ "vercel netlify", "remove rm", &cloud },
	{ "gsutil", "rm rb", &cloud },
	{ "rclone", "purge delete deletefile rmdirs", &cloud },
	{ "hg", "purge", &revert },
	{ "jj", "abandon", &revert },
	{ "svn", "revert", &revert },
	{ "lefthook husky pre-commit", "uninstall", &checks },
};

static bool
has_word(const char *list, struct str word)
{
	struct str rest = str_from(list), one;

	while (str_next(&rest, ' ', &one)) {
		/* most differ in their first letter */
		if (word.n > 0 && one.s[0] != '*' && (one.s[0] | 0x20) != (word.s[0] | 0x20))
			continue;
		bool is_start = str_ends(one, STR("*")), is_end = str_starts(one, STR("*"));
		char text[32];

		one = str_sub(one, is_end, one.n - is_start);
		memcpy(text, one.s, one.n);
		text[one.n] = '\0';
		if (is_start ? str_starts(word, one) : is_end ? str_ends(word, one) : str_is_word(word, text))
			return true;
	}
	return false;
}

/* ---- SQL ---- */

static struct str
next_word(struct str *text)
{
	size_t from = 0, end;

	while (from < text->n && str_find_char(STR(" \t\n;"), text->s[from]) >= 0)
		from++;
	for (end = from; end < text->n && str_find_char(STR(" \t\n;("), text->s[end]) < 0;)
		end++;
	struct str word = str_sub(*text, from, end);

	*text = str_sub(*text, end, text->n);
	return word;
}

static bool
statement_deletes(struct str text)
{
	struct str rest = text, verb = next_word(&rest), object = next_word(&rest);

	if (str_is_word(verb, "truncate"))
		return true;
	if (str_is_word(verb, "drop"))
		return str_is_word(object, "table") || str_is_word(object, "database") ||
		       str_is_word(object, "schema");
	if (!str_is_word(verb, "delete"))
		return false;
	for (struct str word = next_word(&rest); word.n > 0; word = next_word(&rest))
		if (str_is_word(word, "where"))
			return false;
	return true;
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

static bool
database_is_deleted(const struct sh_command *c)
{
	struct str program = sh_program(c);
	bool is_mongo = str_is(program, "mongosh") || str_is(program, "mongo");

	if (!is_mongo && !str_is_word_of(program, "psql mysql mariadb clickhouse-client"))
		return false;
	for (size_t i = 1; i < c->count; i++) {
		struct str t = c->args[i].text;

		if (is_mongo ? str_find(t, STR("dropDatabase")) >= 0 || str_find(t, STR(".drop()")) >= 0
			     : sql_deletes(t))
			return true;
	}
	return !is_mongo && sql_deletes(c->input);
}

const struct act *
data_act_of(const struct sh_command *c)
{
	struct str program = sh_program(c);
	size_t first = 1;

	if (c->count == 0)
		return NULL;
	/* python manage.py flush, php artisan migrate:fresh */
	if (c->count > 2 && (str_starts(program, STR("python")) || str_is(program, "php"))) {
		ptrdiff_t slash = str_find_char(c->args[1].text, '/');

		program = slash >= 0 ? str_sub(c->args[1].text, (size_t)slash + 1, c->args[1].text.n)
				     : c->args[1].text;
		first = 2;
	}
	for (size_t k = 0; k < COUNT_OF(acts); k++)
		for (size_t i = first; str_is_word_of(program, acts[k].programs) && i < c->count; i++)
			if (has_word(acts[k].verbs, c->args[i].text))
				return acts[k].act;
	if (str_is(program, "hg") && c->count > 2 &&
	    ((str_is(c->args[1].text, "revert") && has_option(c, "--all")) ||
	     (str_starts(c->args[1].text, STR("up")) && (has_option(c, "-C") || has_option(c, "--clean")))))
		return &revert;
	if (str_is_word_of(program, "terraform tofu") && c->count > 2 && str_is(c->args[1].text, "state") &&
	    str_is(c->args[2].text, "rm"))
		return &cloud;
	for (size_t i = 2; str_is(program, "gh") && i + 1 < c->count; i++)
		if ((str_is(c->args[i].text, "-X") || str_is(c->args[i].text, "--method")) &&
		    str_is_word(c->args[i + 1].text, "delete"))
			return &cloud;
	return database_is_deleted(c) ? &database : NULL;
}
