/* SPDX-License-Identifier: MIT */
/* Internal to the parser of command lines: its position, and the parts that call each other. */
#ifndef SHELL_PARSER_H
#define SHELL_PARSER_H

#include "shell/syntax.h"

/* A here-document that begins at the next newline. */
struct sh_here {
	struct sh_word *body;
	struct str delimiter;
	bool is_literal, strips_tabs;
};

struct sh_parser {
	struct arena *arena;
	struct str text;
	size_t at;
	int depth;
	bool ends_at_brace; /* a word ends at } */
	size_t *nodes;      /* of this text and those around it */
	struct sh_here *heres;
	size_t here_count;
	const char *failure; /* NULL: none */
	size_t failed_at;
};

/* The byte at the position, or some bytes after it; 0 at the end. */
static inline char
sh_peek(const struct sh_parser *p, size_t ahead)
{
	return p->at + ahead < p->text.n ? p->text.s[p->at + ahead] : '\0';
}

static inline bool
sh_is_end(const struct sh_parser *p)
{
	return p->failure || p->at >= p->text.n;
}

/* Notes the first failure; the position goes to the end, so that every loop ends. */
void sh_fail(struct sh_parser *p, const char *failure);
/* One level deeper, which the caller takes back; false: it is too deep. */
bool sh_enter(struct sh_parser *p);

/* Reads the character, which must be there. */
void sh_expect(struct sh_parser *p, char c, const char *failure);
bool sh_looks_at(const struct sh_parser *p, const char *text);
/* Blanks, continued lines and comments; not newlines. */
void sh_skip_blanks(struct sh_parser *p);
/* These, and newlines, after which here-documents begin. */
void sh_skip_lines(struct sh_parser *p);
/* A word at the position, which may be empty. */
void sh_read_word(struct sh_parser *p, struct sh_word *w);
/* A text of its own, expanded as between double quotes. */
void sh_read_apart(struct sh_parser *p, struct sh_word *w, struct str text);
void sh_add_text(struct sh_parser *p, struct sh_word *w, struct str text, bool is_quoted);
/* name=, name+=, name[...]=: the byte after it; 0: it is none. */
size_t sh_assignment_end(const struct sh_parser *p, bool *ret_appends, bool *ret_has_index);

struct sh_node *sh_new_node(struct sh_parser *p, enum sh_kind kind);
void sh_add_child(struct sh_parser *p, struct sh_node *n, struct sh_node *child);
struct sh_word *sh_new_word(struct sh_parser *p, struct sh_word_list *list);
/* Commands up to a word or operator that ends a list. */
struct sh_node *sh_read_list(struct sh_parser *p);
/* A text of its own, such as that between backticks. */
struct sh_node *sh_read_nested(struct sh_parser *p, struct str text);
/* A compound command at the position; NULL: there is none. */
struct sh_node *sh_read_compound(struct sh_parser *p);
bool sh_read_redirect(struct sh_parser *p, struct sh_node *n);
/* Is the word, followed by something that ends a word, at the position? Nothing is read. */
bool sh_is_keyword(const struct sh_parser *p, const char *word);
bool sh_take_keyword(struct sh_parser *p, const char *word);
bool sh_ends_word(char c);

#endif
