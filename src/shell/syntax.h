/* SPDX-License-Identifier: MIT */
/* The syntax of a command line, of POSIX sh and of bash, as a tree. Knows nothing of programs, variables or files. Strings of the
 * tree are part of the text, or in the arena. */
#ifndef SHELL_SYNTAX_H
#define SHELL_SYNTAX_H

#include "base/base.h"

struct sh_node;
struct sh_word;

enum sh_part_kind {
	SH_TEXT,    /* bytes, quotes and backslashes removed */
	SH_PARAM,   /* $x, ${x:-word} */
	SH_COMMAND, /* $(list), `list` */
	SH_PROCESS, /* <(list), >(list) */
	SH_ARITH,   /* $((text)); its parts are those that it has in it */
};

/* A piece of a word. */
struct sh_part {
	enum sh_part_kind kind;
	bool is_quoted;  /* neither split nor matched with files */
	bool is_written; /* of SH_PROCESS: >( ) */
	struct str text; /* of SH_TEXT; of SH_PARAM: the name */
	struct str op;   /* of SH_PARAM: ":-", "#", "/" ...; empty: none; "!" and "#" before the name, too */
	struct sh_word
		*word; /* what follows the operator; of SH_ARITH: what is expanded in it; NULL: nothing */
	struct sh_node *list;
};

struct sh_word {
	struct sh_part *parts;
	size_t count;
	struct str source; /* as written */
};
struct sh_word_list {
	struct sh_word *items;
	size_t count;
};

struct sh_redirect {
	struct str op;         /* < > >> >| <> <& >& &> &>> << <<- <<< */
	struct sh_word target; /* of a here-document: its delimiter */
	struct sh_word *body;  /* of a here-document; else NULL */
	int fd;                /* -1: the usual one; -2: {name}, which is a new one */
};

struct sh_assign {
	struct str name;
	bool appends, is_list; /* name+=..., name=(...) or name[...]=... */
	struct sh_word value;
	struct sh_word_list items; /* of a list */
};

enum sh_kind {
	SH_SIMPLE,   /* assignments, words, redirections */
	SH_LIST,     /* children one after the other */
	SH_PIPE,     /* children */
	SH_AND,      /* two children */
	SH_OR,       /* two children */
	SH_SUBSHELL, /* a child, in a shell of its own: ( ), coproc, and before & */
	SH_GROUP,    /* a child: { }, and after ! */
	SH_IF,       /* condition, body, condition, body, ..., and perhaps the last body */
	SH_LOOP,     /* condition, body: while and until */
	SH_FOR,      /* body; name, words: for and select */
	SH_FUNCTION, /* body; name */
	SH_WORDS,    /* words, and bodies that may run: case with its patterns, [[ ]], (( )), for (( )) */
};

struct sh_node {
	enum sh_kind kind;
	struct str name;
	struct sh_node **children;
	size_t child_count;
	struct sh_word_list words;
	struct sh_assign *assigns;
	size_t assign_count;
	struct sh_redirect *redirects;
	size_t redirect_count;
};

/* Parses the text. Fails on what no shell would run, and on what is beyond SHELL_LIMIT_BYTES, SHELL_DEPTH_LIMIT or
 * SHELL_NODES_LIMIT; the error names line and column. */
int sh_parse(struct arena *a, struct str text, struct sh_node **ret, struct err *err) MUST_CHECK;

/* The offset of the byte that closes what is open at `at`; the length of the text: there is none. */
size_t sh_closing(struct str text, size_t at, char open, char close);
/* The length of the name that begins there; 0: none does. */
size_t sh_name_length(struct str text, size_t from);
/* Is it a name of a variable? */
bool sh_is_name(struct str text);

#endif
