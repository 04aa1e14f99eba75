/* SPDX-License-Identifier: MIT */
/* Keeps the added lines of a diff as sorted ranges, so that a lookup costs two binary searches. */
#include "review/diff_lines.h"

#include "review/diff.h"

#include <stdlib.h>

struct range {
	int64_t first, last;
};

struct diff_file {
	struct str name;
	struct range *ranges; /* sorted, none touching another */
	size_t count;
};

struct diff_lines {
	struct diff_file *files; /* sorted by name, each once */
	size_t count;
};

/* ---- reading ---- */

struct found {
	struct str file;
	struct range range; /* first > last: the file is in the diff, without added lines */
};

struct line_collector {
	struct arena *arena;
	struct found *items;
	size_t count, capacity;
	struct str file; /* of the section; absent: not known yet */
};

static void
push(struct line_collector *f, struct found x)
{
	arena_make_room(f->arena, f->items, f->count, &f->capacity);
	f->items[f->count++] = x;
}

static void
put_file(struct line_collector *f, struct str name)
{
	f->file = name;
	if (name.s)
		push(f, (struct found){ .file = name, .range = { 1, 0 } });
}

static void
put_line(struct line_collector *f, int64_t line)
{
	struct found *last = f->count ? &f->items[f->count - 1] : NULL;

	if (!f->file.s)
		return;
	if (last && last->range.last == line - 1 && last->range.first <= last->range.last &&
	    last->file.s == f->file.s)
		last->range.last = line;
	else
		push(f, (struct found){ .file = f->file, .range = { line, line } });
}

/* A binary file: any line may have been added. An attribute can make any file binary. */
static void
put_all_lines(struct line_collector *f)
{
	if (f->file.s)
		push(f, (struct found){ .file = f->file, .range = { 1, INT64_MAX - 1 } });
}

static int
compare_found(const void *x, const void *y)
{
	const struct found *p = x, *q = y;
	int order = str_cmp(p->file, q->file);

	if (order != 0)
		return order;
	return (p->range.first > q->range.first) - (p->range.first < q->range.first);
}

/* Groups the sorted ranges by file, and joins those that touch. */
static void
gather(struct diff_lines *d, struct range *ranges, const struct line_collector *found)
{
	struct diff_file *file = NULL;

	for (size_t i = 0; i < found->count; i++) {
		const struct found *f = &found->items[i];

		if (!file || !str_eq(file->name, f->file)) {
			file = &d->files[d->count++];
			*file = (struct diff_file){ .name = f->file, .ranges = ranges };
		}
		if (f->range.first > f->range.last)
			continue;
		struct range *last = file->count ? &file->ranges[file->count - 1] : NULL;

		if (last && f->range.first <= last->last + 1) {
			last->last = f->range.last > last->last ? f->range.last : last->last;
			continue;
		}
		file->ranges[file->count++] = f->range;
		ranges++;
	}
}

const struct diff_lines *
diff_lines_of(struct arena *a, struct str diff)
{
	struct diff_lines *d = arena_new(a, struct diff_lines);
	struct line_collector found = { .arena = a };
	struct diff_reader r = diff_reader(a, diff);
	enum diff_event event;

	while ((event = diff_read(&r)) != DIFF_END) {
		if (event == DIFF_SECTION || event == DIFF_NAME)
			put_file(&found, r.file);
		else if (event == DIFF_ADDED)
			put_line(&found, r.line - 1);
		else if (event == DIFF_BINARY)
			put_all_lines(&found);
	}
	if (found.count)
		qsort(found.items, found.count, sizeof(*found.items), compare_found);
	d->files = arena_array(a, found.count, struct diff_file);
	gather(d, arena_array(a, found.count, struct range), &found);
	return d;
}

/* ---- asking ---- */

static const struct diff_file *
find_file(const struct diff_lines *d, struct str name)
{
	size_t low = 0, high = d->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = str_cmp(d->files[middle].name, name);

		if (order == 0)
			return &d->files[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

bool
diff_lines_has_file(const struct diff_lines *d, struct str file)
{
	return find_file(d, file) != NULL;
}

bool
diff_lines_has(const struct diff_lines *d, struct str file, int64_t line)
{
	const struct diff_file *f = find_file(d, file);
	size_t low = 0, high = f ? f->count : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (line < f->ranges[middle].first)
			high = middle;
		else if (line > f->ranges[middle].last)
			low = middle + 1;
		else
			return true;
	}
	return false;
}

size_t
diff_lines_file_count(const struct diff_lines *d)
{
	return d->count;
}

/* The file that an absolute path ends in, the longest where several fit. */
static struct str
absolute_meant(const struct diff_lines *d, struct str path)
{
	for (size_t i = 0; i < path.n; i++) {
		const struct diff_file *f = path.s[i] == '/' ? find_file(d, str_sub(path, i + 1, path.n))
							     : NULL;

		if (f)
			return f->name;
	}
	return STR_NONE;
}

struct str
diff_lines_meant(const struct diff_lines *d, struct str spelling)
{
	static const struct str prefixes[] = { { "", 0 }, { "./", 2 }, { "b/", 2 }, { "a/", 2 } };

	for (size_t i = 0; i < COUNT_OF(prefixes); i++) {
		const struct diff_file *f = str_starts(spelling, prefixes[i])
						    ? find_file(d,
								str_sub(spelling, prefixes[i].n, spelling.n))
						    : NULL;

		if (f)
			return f->name;
	}
	return str_starts(spelling, STR("/")) ? absolute_meant(d, spelling) : STR_NONE;
}
