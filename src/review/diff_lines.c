/* SPDX-License-Identifier: MIT */
/* The lines that a diff adds, by file. */
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

struct added_range {
	struct str file;
	struct range range; /* first > last: the file is in the diff, without added lines */
};

struct collector {
	struct arena *arena;
	struct added_range *items;
	size_t count, capacity;
};

static void
add_range(struct collector *c, struct str file, int64_t first, int64_t last)
{
	if (!file.s)
		return;
	arena_make_room(c->arena, c->items, c->count, &c->capacity);
	c->items[c->count++] = (struct added_range){ file, { first, last } };
}

static void
add_line(struct collector *c, struct str file, int64_t line)
{
	struct added_range *last = c->count ? &c->items[c->count - 1] : NULL;

	if (last && last->range.last == line - 1 && last->range.first <= last->range.last &&
	    last->file.s == file.s)
		last->range.last = line;
	else
		add_range(c, file, line, line);
}

static int
compare_ranges(const void *x, const void *y)
{
	const struct added_range *p = x, *q = y;
	int order = str_cmp(p->file, q->file);

	if (order != 0)
		return order;
	return (p->range.first > q->range.first) - (p->range.first < q->range.first);
}

/* Groups the sorted ranges by file, and joins those that touch. */
static void
gather(struct diff_lines *d, struct range *ranges, const struct collector *found)
{
	struct diff_file *file = NULL;

	for (size_t i = 0; i < found->count; i++) {
		const struct added_range *f = &found->items[i];

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
	struct collector found = { .arena = a };
	struct diff_reader r = diff_reader(a, diff);
	struct str file = STR_NONE; /* of the section; absent: not known yet */
	enum diff_event event;

	while ((event = diff_read(&r)) != DIFF_END) {
		if (event == DIFF_SECTION || event == DIFF_NAME) {
			file = r.file;
			add_range(&found, file, 1, 0);
		} else if (event == DIFF_ADDED) {
			add_line(&found, file, r.line - 1);
		} else if (event == DIFF_BINARY) {
			/* Any line may have been added. An attribute can make any file binary. */
			add_range(&found, file, 1, INT64_MAX - 1);
		}
	}
	if (found.count)
		qsort(found.items, found.count, sizeof(*found.items), compare_ranges);
	d->files = arena_array(a, found.count, struct diff_file);
	gather(d, arena_array(a, found.count, struct range), &found);
	return d;
}

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

struct str
diff_lines_meant(const struct diff_lines *d, struct str spelling)
{
	static const struct str prefixes[] = { { "", 0 }, { "./", 2 }, { "b/", 2 }, { "a/", 2 } };
	const struct diff_file *f = NULL;

	for (size_t i = 0; i < COUNT_OF(prefixes) && !f; i++)
		if (str_starts(spelling, prefixes[i]))
			f = find_file(d, str_sub(spelling, prefixes[i].n, spelling.n));
	/* Of the files that an absolute path ends in, the longest. */
	for (size_t i = 0; str_starts(spelling, STR("/")) && i < spelling.n && !f; i++)
		if (spelling.s[i] == '/')
			f = find_file(d, str_sub(spelling, i + 1, spelling.n));
	return f ? f->name : STR_NONE;
}
