/* SPDX-License-Identifier: MIT */
/* Completion scripts for bash, zsh and fish. Each finds the command from the words so far, and offers its subcommands, its
 * options and their values, or files. */
#include "base/buf.h"
#include "cmd/commands.h"
#include "ui/print.h"

#define SCRIPT_LIMIT_BYTES MIB(1)

/* A command of the table and how it is called: `holdfast ralph start`. */
struct place {
	const struct command *command, *root;
	struct str path;
	bool is_root;
};

typedef void place_fn(struct buf *b, const struct place *p);

/* Calls fn for every command that is shown, outer ones first. */
static void
each_place(struct buf *b, const struct command *root, const struct command *c, struct str outer, place_fn *fn)
{
	struct str path = outer.n > 0 ? str_fmt(b->arena, STR_FMT " %s", STR_ARG(outer), c->name)
				      : str_fmt(b->arena, "%s", c->name);
	struct place p = { .command = c, .root = root, .path = path, .is_root = outer.n == 0 };

	if (c->is_hidden)
		return;
	fn(b, &p);
	for (size_t i = 0; i < c->sub_count; i++)
		each_place(b, root, c->subs[i], path, fn);
}

/* A word in single quotes as sh and zsh read them, or as fish does. */
static void
add_quoted(struct buf *b, struct str x, bool is_fish)
{
	buf_addc(b, '\'');
	for (size_t i = 0; i < x.n; i++) {
		if (x.s[i] == '\'')
			buf_add(b, is_fish ? STR("\\'") : STR("'\\''"));
		else if (x.s[i] == '\\' && is_fish)
			buf_add(b, STR("\\\\"));
		else
			buf_addc(b, x.s[i]);
	}
	buf_addc(b, '\'');
}

/* `_holdfast`: the program's name as a shell function's. */
static struct str
function_name(struct arena *a, const struct command *root)
{
	struct buf b = BUF(a, KIB(1));

	buf_addc(&b, '_');
	for (const char *c = root->name; *c; c++)
		buf_addc(&b, *c == '-' ? '_' : *c);
	return buf_str(&b);
}

static bool
is_path(const struct option_row *row)
{
	struct str name = str_from(row->arg_name);

	return str_is(name, "FILE") || str_is(name, "DIRECTORY") || str_is(name, "PATH");
}

/* The candidates other than options: subcommands, or the choices for the first argument. */
typedef void word_fn(struct buf *b, const struct place *p, struct str word, struct str summary);

static void
each_word(struct buf *b, const struct place *p, word_fn *fn)
{
	const struct command *from = p->command->has_command_args ? p->root : p->command;

	for (size_t i = 0; i < from->sub_count; i++)
		if (!from->subs[i]->is_hidden)
			fn(b, p, str_from(from->subs[i]->name), str_from(from->subs[i]->summary));
	for (size_t i = 0; p->command->arg_choices && p->command->arg_choices[i]; i++)
		fn(b, p, str_from(p->command->arg_choices[i]), STR(""));
}

static void
add_choices(struct buf *b, const struct option_row *row)
{
	for (size_t i = 0; row->choices[i]; i++)
		buf_addf(b, "%s%s", i > 0 ? " " : "", row->choices[i]);
}

/* bash and zsh: one arm of the walk for each command below the root. */
static void
add_walk_arm(struct buf *b, const struct place *p)
{
	if (!p->is_root)
		buf_addf(b, "\t\t'" STR_FMT "') at='" STR_FMT "' ;;\n", STR_ARG(p->path), STR_ARG(p->path));
}

/* The pattern of an option with a value, in either spelling. */
static void
add_value_pattern(struct buf *b, const struct place *p, const struct option_row *row)
{
	buf_addf(b, "\t'" STR_FMT " --%s'", STR_ARG(p->path), row->name);
	if (row->short_name)
		buf_addf(b, " | '" STR_FMT " -%c'", STR_ARG(p->path), row->short_name);
	buf_add(b, STR(") "));
}

/* What bash and zsh write to offer values: the choices, or the command that prints them, between two texts. */
struct offer {
	struct str before, behind;
	struct str before_source, behind_source;
	struct str files;
};

static void
add_values(struct buf *b, const struct place *p, const struct offer *o)
{
	for (size_t i = 0; i < p->command->option_count; i++) {
		const struct option_row *row = &p->command->options[i];

		if (!row->arg_name)
			continue;
		add_value_pattern(b, p, row);
		if (row->choices) {
			buf_add(b, o->before);
			add_choices(b, row);
			buf_add(b, o->behind);
		} else if (row->source) {
			buf_add(b, o->before_source);
			buf_add(b, str_from(row->source));
			buf_add(b, o->behind_source);
		} else if (is_path(row)) {
			buf_add(b, o->files);
		}
		buf_add(b, STR("return ;;\n"));
	}
}

/* Names from files are never passed to -W, which would expand and run them. */
static const struct offer bash_offer = {
	STR("COMPREPLY=($(compgen -W '"),
	STR("' -- \"$cur\")); "),
	STR("while IFS= read -r i; do [[ $i != \"$cur\"* ]] || COMPREPLY+=(\"$(printf %q \"$i\")\"); "
	    "done < <("),
	STR(" 2>/dev/null); "),
	STR("compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\")); "),
};

static void
add_bash_values(struct buf *b, const struct place *p)
{
	add_values(b, p, &bash_offer);
}

/* Arguments that a command prints: offered at once, since only options remain. */
static void
add_arguments(struct buf *b, const struct place *p, const struct offer *o)
{
	if (p->command->arg_source)
		buf_addf(b, "\n\t\tif [[ $cur != -* ]]; then " STR_FMT "%s" STR_FMT "return; fi",
			 STR_ARG(o->before_source), p->command->arg_source, STR_ARG(o->behind_source));
}

static void
add_bash_word(struct buf *b, const struct place *p, struct str word, struct str summary)
{
	(void)p;
	(void)summary;
	buf_addf(b, " " STR_FMT, STR_ARG(word));
}

static void
add_bash_place(struct buf *b, const struct place *p)
{
	buf_addf(b, "\t'" STR_FMT "')\n\t\toptions='--help", STR_ARG(p->path));
	if (p->is_root)
		buf_add(b, STR(" --version"));
	for (size_t i = 0; i < p->command->option_count; i++)
		buf_addf(b, " --%s", p->command->options[i].name);
	buf_add(b, STR("'\n\t\twords='"));
	each_word(b, p, add_bash_word);
	buf_addc(b, '\'');
	add_arguments(b, p, &bash_offer);
	buf_add(b, STR(" ;;\n"));
}

static void
add_bash(struct buf *b, const struct command *root)
{
	struct str fn = function_name(b->arena, root);

	buf_addf(b,
		 "# bash completion of %s; load it with: source <(%s completions bash)\n" STR_FMT "()\n{\n"
		 "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} at=%s options= "
		 "words= i\n"
		 "\tCOMPREPLY=()\n"
		 "\tif [[ $cur == = ]]; then\n\t\tcur=\n"
		 "\telif [[ $prev == = ]]; then\n\t\tprev=${COMP_WORDS[COMP_CWORD - 2]}\n\tfi\n"
		 "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n\t\tcase \"$at ${COMP_WORDS[i]}\" in\n",
		 root->name, root->name, STR_ARG(fn), root->name);
	each_place(b, root, root, STR(""), add_walk_arm);
	buf_add(b, STR("\t\tesac\n\tdone\n\tcase \"$at $prev\" in\n"));
	each_place(b, root, root, STR(""), add_bash_values);
	buf_add(b, STR("\tesac\n\tcase $at in\n"));
	each_place(b, root, root, STR(""), add_bash_place);
	buf_addf(b,
		 "\tesac\n\tif [[ $cur == -* ]]; then\n\t\tCOMPREPLY=($(compgen -W \"$options\" -- "
		 "\"$cur\"))\n"
		 "\telse\n\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n\tfi\n}\ncomplete -F " STR_FMT
		 " %s\n",
		 STR_ARG(fn), root->name);
}

static const struct offer zsh_offer = {
	STR("compadd -- "),        STR("; "),       STR("compadd -- ${(f)\"$("),
	STR(" 2>/dev/null)\"}; "), STR("_files; "),
};

static void
add_zsh_values(struct buf *b, const struct place *p)
{
	add_values(b, p, &zsh_offer);
}

/* 'word:description' for _describe; a colon in the word would have to be escaped, but no word has one. */
static void
add_zsh_word(struct buf *b, const struct place *p, struct str word, struct str summary)
{
	(void)p;
	buf_addc(b, ' ');
	add_quoted(b,
		   summary.n > 0 ? str_fmt(b->arena, STR_FMT ":" STR_FMT, STR_ARG(word), STR_ARG(summary))
				 : word,
		   false);
}

static void
add_zsh_place(struct buf *b, const struct place *p)
{
	buf_addf(b, "\t'" STR_FMT "')\n\t\toptions=('--help:show help'", STR_ARG(p->path));
	if (p->is_root)
		buf_add(b, STR(" '--version:print the version'"));
	for (size_t i = 0; i < p->command->option_count; i++) {
		const struct option_row *row = &p->command->options[i];

		add_zsh_word(b, p, str_fmt(b->arena, "--%s", row->name), str_from(row->help));
	}
	buf_add(b, STR(")\n\t\tcandidates=("));
	each_word(b, p, add_zsh_word);
	buf_addc(b, ')');
	add_arguments(b, p, &zsh_offer);
	buf_add(b, STR(" ;;\n"));
}

static void
add_zsh(struct buf *b, const struct command *root)
{
	struct str fn = function_name(b->arena, root);

	buf_addf(b,
		 "#compdef %s\n# zsh completion of %s; put it into a directory of $fpath as " STR_FMT
		 "\n" STR_FMT "()\n{\n"
		 "\tlocal cur=$words[CURRENT] prev=$words[CURRENT-1] at=%s i\n\tlocal -a options candidates\n"
		 "\tif [[ $cur == --*=* ]]; then\n\t\tprev=${cur%%%%=*}\n\t\tcompset -P '*='\n\tfi\n"
		 "\tfor ((i = 2; i < CURRENT; i++)); do\n\t\tcase \"$at $words[i]\" in\n",
		 root->name, root->name, STR_ARG(fn), STR_ARG(fn), root->name);
	each_place(b, root, root, STR(""), add_walk_arm);
	buf_add(b, STR("\t\tesac\n\tdone\n\tcase \"$at $prev\" in\n"));
	each_place(b, root, root, STR(""), add_zsh_values);
	buf_add(b, STR("\tesac\n\tcase $at in\n"));
	each_place(b, root, root, STR(""), add_zsh_place);
	buf_addf(b,
		 "\tesac\n\tif [[ $cur == -* ]]; then\n\t\t_describe -o option options\n"
		 "\telse\n\t\t_describe command candidates\n\tfi\n}\n"
		 "if [[ $funcstack[1] == " STR_FMT " ]]; then\n\t" STR_FMT " \"$@\"\nelse\n\tcompdef " STR_FMT
		 " %s\nfi\n",
		 STR_ARG(fn), STR_ARG(fn), STR_ARG(fn), root->name);
}

static void
add_fish_arm(struct buf *b, const struct place *p)
{
	if (!p->is_root)
		buf_addf(b, "\t\t\tcase '" STR_FMT "'\n\t\t\t\tset at '" STR_FMT "'\n", STR_ARG(p->path),
			 STR_ARG(p->path));
}

/* `complete -c holdfast -n '_holdfast_at "holdfast ralph"'` */
static void
add_fish_condition(struct buf *b, const struct place *p)
{
	struct str fn = function_name(b->arena, p->root);

	buf_addf(b, "complete -c %s -n '" STR_FMT "_at \"" STR_FMT "\"'", p->root->name, STR_ARG(fn),
		 STR_ARG(p->path));
}

static void
add_fish_word(struct buf *b, const struct place *p, struct str word, struct str summary)
{
	add_fish_condition(b, p);
	buf_addf(b, " -a '" STR_FMT "'", STR_ARG(word));
	if (summary.n > 0) {
		buf_add(b, STR(" -d "));
		add_quoted(b, summary, true);
	}
	buf_addc(b, '\n');
}

static void
add_fish_option(struct buf *b, const struct place *p, const struct option_row *row)
{
	add_fish_condition(b, p);
	buf_addf(b, " -l %s", row->name);
	if (row->short_name)
		buf_addf(b, " -s %c", row->short_name);
	if (row->arg_name)
		buf_add(b, is_path(row) ? STR(" -r -F") : STR(" -x"));
	if (row->choices) {
		buf_add(b, STR(" -a '"));
		add_choices(b, row);
		buf_addc(b, '\'');
	} else if (row->source) {
		buf_addf(b, " -a '(%s 2>/dev/null)'", row->source);
	}
	buf_add(b, STR(" -d "));
	add_quoted(b, str_from(row->help), true);
	buf_addc(b, '\n');
}

static void
add_fish_place(struct buf *b, const struct place *p)
{
	static const struct option_row help = { .name = "help", .short_name = 'h', .help = "show help" };
	static const struct option_row version = { .name = "version",
						   .short_name = 'V',
						   .help = "print the version" };

	each_word(b, p, add_fish_word);
	if (p->command->arg_source) {
		add_fish_condition(b, p);
		buf_addf(b, " -a '(%s 2>/dev/null)'\n", p->command->arg_source);
	}
	for (size_t i = 0; i < p->command->option_count; i++)
		add_fish_option(b, p, &p->command->options[i]);
	add_fish_option(b, p, &help);
	if (p->is_root)
		add_fish_option(b, p, &version);
}

static void
add_fish(struct buf *b, const struct command *root)
{
	struct str fn = function_name(b->arena, root);

	buf_addf(b,
		 "# fish completion of %s; load it with: %s completions fish | source\n"
		 "function " STR_FMT "_at\n\tset -l at %s\n\tset -l words (commandline -opc)\n"
		 "\tfor word in $words[2..-1]\n\t\tswitch \"$at $word\"\n",
		 root->name, root->name, STR_ARG(fn), root->name);
	each_place(b, root, root, STR(""), add_fish_arm);
	buf_addf(b, "\t\tend\n\tend\n\ttest \"$at\" = \"$argv[1]\"\nend\ncomplete -c %s -f\n", root->name);
	each_place(b, root, root, STR(""), add_fish_place);
}

static const struct {
	const char *name;
	void (*add)(struct buf *b, const struct command *root);
} shells[] = {
	{ "bash", add_bash },
	{ "zsh", add_zsh },
	{ "fish", add_fish },
};

static int
run(struct arena *a, const struct invocation *inv)
{
	struct buf b = BUF(a, SCRIPT_LIMIT_BYTES);

	for (size_t i = 0; i < COUNT_OF(shells); i++) {
		if (!str_is(inv->args[0], shells[i].name))
			continue;
		shells[i].add(&b, inv->path[0]);
		return print_out(buf_str(&b));
	}
	return command_misuse(inv, "unknown shell '" STR_FMT "'; expected one of: bash, zsh, fish",
			      STR_ARG(inv->args[0]));
}

static const char *const shell_names[] = { "bash", "zsh", "fish", NULL };

const struct command completions_command = {
	.name = "completions",
	.summary = "print a completion script for a shell",
	.details = "Prints the script on standard output. To load it:\n"
		   "\n"
		   "  bash   source <(holdfast completions bash), in ~/.bashrc\n"
		   "  zsh    holdfast completions zsh > DIR/_holdfast, where DIR is in $fpath\n"
		   "  fish   holdfast completions fish > ~/.config/fish/completions/holdfast.fish",
	.args = "bash|zsh|fish",
	.least_args = 1,
	.most_args = 1,
	.arg_choices = shell_names,
	.run = run,
};
