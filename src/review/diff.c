/* SPDX-License-Identifier: MIT */
/* Reads a unified diff as git writes it. The counts in its header decide what belongs to a hunk, not how a
 * line begins: a file's own text can't pass for a header. */
#include "review/diff.h"

enum diff_event {
	DIFF_END,
	DIFF_SECTION, /* the first line of a file's section; `file` is absent where the line does not name it */
	DIFF_NAME,    /* a line with the current name of the file */
	DIFF_ADDED,   /* an added line; `line` is its number */
	DIFF_BINARY,     /* the lines of the file are not shown */
	DIFF_REPOSITORY, /* it is not a file but a repository, of which only a commit is shown */
	DIFF_OTHER,
};

struct diff_reader {
	struct arena *arena; /* where names that were quoted are put */
	struct str rest;
	int64_t line;                /* the next one of the new file */
	uint64_t old_left, new_left; /* of the hunk */
	struct str file;             /* of DIFF_SECTION and DIFF_NAME */
	struct str from;             /* what a renamed file was called before; absent: it is not renamed */
	size_t at;                   /* where the line that was read begins */
	size_t total;
};

/* ---- names ---- */

/* One escape, from after its backslash; returns how many bytes it takes. */
static size_t
add_escape(struct buf *b, struct str x)
{
	static const char meant[] = "\a\b\t\n\v\f\r";
	ptrdiff_t known = str_find_char(STR("abtnvfr"), x.s[0]);

	if (x.n >= 3 && x.s[0] >= '0' && x.s[0] <= '3' && x.s[1] >= '0' && x.s[1] <= '7' && x.s[2] >= '0' &&
	    x.s[2] <= '7') {
		buf_addc(b, (char)((x.s[0] - '0') << 6 | (x.s[1] - '0') << 3 | (x.s[2] - '0')));
		return 3;
	}
	buf_addc(b, known >= 0 ? meant[known] : x.s[0]);
	return 1;
}

/* A name in quotes, as C has them, at the beginning of the text; *ret_n is what it takes with its quotes. Absent where
 * the quotes do not end. */
static struct str
unquote(struct arena *a, struct str x, size_t *ret_n)
{
	struct buf b = BUF(a, SIZE_MAX);
	size_t i = 1;

	while (i < x.n && x.s[i] != '"') {
		if (x.s[i] == '\\' && i + 1 < x.n)
			i += 1 + add_escape(&b, str_rest(x, i + 1));
		else
			buf_addc(&b, x.s[i++]);
	}
	*ret_n = i + 1;
	return i < x.n ? buf_str(&b) : STR_NONE;
}

/* A name that fills the rest of a line. A tab ends a name with blanks in it. */
static struct str
name_of(struct arena *a, struct str x)
{
	size_t n;

	if (x.n > 0 && x.s[0] == '"')
		return unquote(a, x, &n);
	ptrdiff_t tab = str_find_char(x, '\t');

	return tab < 0 ? x : str_sub(x, 0, (size_t)tab);
}

static struct str
without_prefix(struct str x, struct str prefix)
{
	return str_starts(x, prefix) && x.n > prefix.n ? str_rest(x, prefix.n) : STR_NONE;
}

/* `a/X b/X`: both names are the same unless the file was renamed, which has lines of its own. */
static struct str
section_name(struct arena *a, struct str x)
{
	size_t n;

	if (x.n > 0 && x.s[0] == '"') {
		struct str first = unquote(a, x, &n);

		return first.s ? without_prefix(first, STR("a/")) : STR_NONE;
	}
	struct str left = str_sub(x, 0, x.n / 2), right = str_rest(x, x.n / 2 + 1);

	if (x.n < 5 || x.n % 2 == 0 || x.s[x.n / 2] != ' ' || !str_starts(left, STR("a/")) ||
	    !str_starts(right, STR("b/")))
		return STR_NONE;
	left = str_rest(left, 2);
	return str_eq(left, str_rest(right, 2)) ? left : STR_NONE;
}

/* ---- hunks ---- */

/* Digits at the beginning of the text are taken off it. */
static bool
take_number(struct str *x, uint64_t *ret)
{
	size_t n = str_digits(*x, 0);

	if (n == 0 || !number_parse(str_sub(*x, 0, n), ret) || *ret > INT64_MAX / 2)
		return false;
	*x = str_sub(*x, n, x->n);
	return true;
}

/* START or START,COUNT */
static bool
take_range(struct str *x, uint64_t *ret_start, uint64_t *ret_count)
{
	*ret_count = 1;
	if (!take_number(x, ret_start))
		return false;
	return !str_skip(x, ",") || take_number(x, ret_count);
}

static void
begin_hunk(struct diff_reader *r, struct str line)
{
	uint64_t old_start, old_count, start, count;

	if (!str_skip(&line, "@@ -") || !take_range(&line, &old_start, &old_count) ||
	    !str_skip(&line, " +") || !take_range(&line, &start, &count) || !str_skip(&line, " @@"))
		return;
	r->line = (int64_t)start;
	r->old_left = old_count;
	r->new_left = count;
}

/* A line of a hunk; false when the hunk has ended before its count, as in a diff that was cut. */
static bool
read_in_hunk(struct diff_reader *r, struct str line, enum diff_event *ret)
{
	char kind = line.n == 0 || line.s[0] == '\r' ? ' ' : line.s[0];

	*ret = DIFF_OTHER;
	if (kind == '\\')
		return true;
	if (kind == '+' && r->new_left > 0) {
		r->new_left--;
		r->line++;
		*ret = DIFF_ADDED;
		return true;
	}
	if (kind == '-' && r->old_left > 0) {
		r->old_left--;
		return true;
	}
	if (kind == ' ' && r->old_left > 0 && r->new_left > 0) {
		r->old_left--;
		r->new_left--;
		r->line++;
		return true;
	}
	r->old_left = r->new_left = 0;
	return false;
}

static enum diff_event
read_header(struct diff_reader *r, struct str line)
{
	struct str rest = line;

	if (str_skip(&rest, "diff --git ")) {
		r->file = section_name(r->arena, rest);
		r->from = STR_NONE;
		return DIFF_SECTION;
	}
	if (str_skip(&rest, "+++ "))
		r->file = without_prefix(name_of(r->arena, rest), STR("b/"));
	else if (str_skip(&rest, "rename to ") || str_skip(&rest, "copy to "))
		r->file = name_of(r->arena, rest);
	else
		r->file = STR_NONE;
	if (str_skip(&rest, "rename from "))
		r->from = name_of(r->arena, rest);
	if (r->file.n > 0)
		return DIFF_NAME;
	if (str_starts(line, STR("Binary files ")))
		return DIFF_BINARY;
	if (str_is(line, "new file mode 160000") ||
	    (str_starts(line, STR("index ")) && str_ends(line, STR(" 160000"))))
		return DIFF_REPOSITORY;
	begin_hunk(r, line);
	return DIFF_OTHER;
}

static enum diff_event
diff_read(struct diff_reader *r)
{
	struct str line;
	enum diff_event event;

	r->at = r->total - r->rest.n;
	if (!str_next(&r->rest, '\n', &line))
		return DIFF_END;
	if ((r->old_left > 0 || r->new_left > 0) && read_in_hunk(r, line, &event))
		return event;
	if (line.n > 0 && line.s[line.n - 1] == '\r')
		line.n--;
	return read_header(r, line);
}

struct diff_sections
diff_split(struct arena *a, struct str diff)
{
	struct diff_sections l = { 0 };
	struct diff_reader r = { .arena = a, .rest = diff, .total = diff.n };
	struct diff_section *now = NULL;
	enum diff_event event;

	while ((event = diff_read(&r)) != DIFF_END) {
		if (!now || event == DIFF_SECTION) {
			now = arena_push(a, l.items, l.count);
			now->text.s = diff.s + r.at;
		}
		if ((event == DIFF_SECTION || event == DIFF_NAME) && r.file.s)
			now->file = r.file;
		now->from = r.from;
		now->is_binary |= event == DIFF_BINARY;
		now->is_repository |= event == DIFF_REPOSITORY;
		now->text.n = (size_t)(r.rest.s - now->text.s);
	}
	if (now)
		now->text.n = (size_t)(diff.s + diff.n - now->text.s);
	return l;
}

/* ---- cutting ---- */

/* The note has at most a quarter of the room, and no more than this. */
#define NOTE_LIMIT_BYTES KIB(4)
/* Room after the last name for ` * and N more` and a bracket. */
#define MORE_BYTES 40

/* Sections of one file that follow each other are named once. False: there is none to name. */
static bool
add_names(struct arena *a, struct buf *b, const struct diff_sections *l, const bool *is_left_out,
	  size_t limit)
{
	struct str before = STR_NONE;
	size_t named = 0, unnamed = 0;

	for (size_t i = 0; i < l->count; i++) {
		const struct diff_section *s = &l->items[i];

		if (!is_left_out[i] || (s->file.s && str_eq(s->file, before)))
			continue;
		before = s->file;
		struct str name = s->file.s ? strip_escapes_line(a, s->file)
					    : STR("(a file that the diff does not name)");

		if (unnamed || b->n + name.n + 4 + MORE_BYTES > limit)
			unnamed++;
		else
			buf_cat(b, " * ", name, "\n");
		named++;
	}
	if (unnamed)
		buf_cat(b, " * ", unnamed < named ? "and " : "", unnamed, " more\n");
	return named > 0;
}

static struct str
note_of(struct arena *a, const struct diff_sections *l, const bool *is_left_out, bool is_first_cut,
	bool has_more, size_t limit)
{
	struct buf b = BUF(a, limit);

	buf_add(&b, STR("\n(This diff is not complete: it was too long."));
	if (is_first_cut)
		buf_add(&b, STR(" The file above is cut off."));
	if (has_more)
		buf_add(&b, STR(" Further files have changed that are not named here."));
	size_t fixed = b.n;

	buf_add(&b, STR(" Left out are the changes of:\n"));
	if (!add_names(a, &b, l, is_left_out, limit))
		b.n = fixed;
	buf_add(&b, STR(")\n"));
	return buf_str(&b);
}

struct str
diff_cut(struct arena *a, struct str diff, size_t limit, bool has_more, bool *ret_is_cut,
	 struct str_list *ret_left_out)
{
	struct buf b = BUF(a, limit);
	size_t note_limit = limit / 4 < NOTE_LIMIT_BYTES ? limit / 4 : NOTE_LIMIT_BYTES;
	bool is_first_cut = false;

	*ret_is_cut = has_more || diff.n > limit;
	*ret_left_out = (struct str_list){ 0 };
	if (!*ret_is_cut)
		return diff;
	struct diff_sections l = diff_split(a, diff);
	bool *is_left_out = arena_array(a, l.count, bool);

	for (size_t i = 0; i < l.count; i++) {
		is_left_out[i] = l.items[i].text.n > limit - note_limit - b.n;
		if (!is_left_out[i])
			buf_add(&b, l.items[i].text);
	}
	if (b.n == 0 && l.count > 0 && limit >= DIFF_CUT_LEAST) {
		struct str head = utf8_head(l.items[0].text, limit - note_limit);
		ptrdiff_t end = str_find_last(head, '\n');

		buf_add(&b, end >= 0 ? str_sub(head, 0, (size_t)end + 1) : head);
		is_first_cut = true;
		is_left_out[0] = false;
	}
	buf_add(&b, note_of(a, &l, is_left_out, is_first_cut, has_more, note_limit));
	ret_left_out->items = arena_array(a, l.count, struct str);
	for (size_t i = 0, n = 0; i < l.count; i++) {
		struct str name = l.items[i].file;

		if ((is_left_out[i] || (is_first_cut && i == 0)) && name.s &&
		    (n == 0 || !str_eq(ret_left_out->items[n - 1], name)))
			ret_left_out->items[n++] = name;
		ret_left_out->count = n;
	}
	return buf_str(&b);
}

/* ---- the lines that a diff adds, by file ---- */

struct added_range {
	struct str file;
	int64_t first, last; /* first > last: the file is in the diff, without added lines */
};

struct diff_lines {
	struct arena *arena;
	struct added_range *items; /* sorted by file */
	size_t count;
};

/* Lines in a row are one range. */
static void
add_range(struct diff_lines *d, struct str file, int64_t first, int64_t last)
{
	struct added_range *before = d->count ? &d->items[d->count - 1] : NULL;

	if (before && before->last == first - 1 && before->first <= before->last && before->file.s == file.s)
		before->last = last;
	else if (file.s)
		*arena_push(d->arena, d->items, d->count) = (struct added_range){ file, first, last };
}

const struct diff_lines *
diff_lines_of(struct arena *a, struct str diff)
{
	struct diff_lines *d = arena_new(a, struct diff_lines);
	struct diff_reader r = { .arena = a, .rest = diff, .total = diff.n };
	struct str file = STR_NONE; /* of the section; absent: not known yet */
	enum diff_event event;

	d->arena = a;
	while ((event = diff_read(&r)) != DIFF_END) {
		if (event == DIFF_SECTION || event == DIFF_NAME) {
			file = r.file;
			add_range(d, file, 1, 0);
		} else if (event == DIFF_ADDED) {
			add_range(d, file, r.line - 1, r.line - 1);
		} else if (event == DIFF_BINARY) {
			/* Any line may have been added. An attribute can make any file binary. */
			add_range(d, file, 1, INT64_MAX - 1);
		}
	}
	/* A range begins with the name of its file. */
	if (d->count)
		sort(d->items, d->count, str_compare);
	return d;
}

/* The first range of the file; NULL: it is not in the diff. */
static const struct added_range *
find_file(const struct diff_lines *d, struct str name)
{
	size_t low = 0, high = d->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (str_cmp(d->items[middle].file, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < d->count && str_eq(d->items[low].file, name) ? &d->items[low] : NULL;
}

bool
diff_lines_has(const struct diff_lines *d, struct str file, int64_t line)
{
	const struct added_range *r = find_file(d, file);

	for (; r && r < d->items + d->count && str_eq(r->file, file); r++)
		if (line >= r->first && line <= r->last)
			return true;
	return false;
}

bool
diff_lines_has_files(const struct diff_lines *d)
{
	return d->count > 0;
}

struct str
diff_lines_meant(const struct diff_lines *d, struct str spelling)
{
	static const struct str prefixes[] = { { "", 0 }, { "./", 2 }, { "b/", 2 }, { "a/", 2 } };
	const struct added_range *f = NULL;

	for (size_t i = 0; i < COUNT_OF(prefixes) && !f; i++)
		if (str_starts(spelling, prefixes[i]))
			f = find_file(d, str_rest(spelling, prefixes[i].n));
	/* Of the files that an absolute path ends in, the longest. */
	for (size_t i = 0; str_starts(spelling, STR("/")) && i < spelling.n && !f; i++)
		if (spelling.s[i] == '/')
			f = find_file(d, str_rest(spelling, i + 1));
	return f ? f->file : STR_NONE;
}
