/* SPDX-License-Identifier: MIT */
/* What a result is about, in the model: the definition of the job and the files that it covers, as git stores them. A pass
 * counts for that and for nothing else (doc/decisions/0023). */
#include "model.h"

static bool
has_part(struct str path, const char *name, bool is_prefix)
{
	struct str part;

	while (str_next(&path, '/', &part))
		if (is_prefix ? str_starts(part, str_from(name)) : str_is(part, name))
			return true;
	return false;
}

/* What write_native() in world.c writes for each. */
static bool
is_for(enum files files, struct str path)
{
	switch (files) {
	case FILES_NAMED: /* c* */
		return has_part(path, "c", true);
	case FILES_BELOW: /* src */
		return has_part(path, "src", false);
	case FILES_EXCEPT: /* !note */
		return !has_part(path, "note", false);
	case FILES_LAST: /* !src, src/c* */
		return !has_part(path, "src", false) || str_starts(path, STR("src/c"));
	default:
		return true;
	}
}

static bool
covers(const struct config *c, int job, struct str path)
{
	static const char *const places[ENTRY_COUNT] = { "", "src/", "docs/", "packages/" };
	const struct check *check = &c->checks[job % CHECKS_MOST];
	int package = job / CHECKS_MOST - 1;

	if ((check->entry == ENTRY_PACKAGES) != (package >= 0) ||
	    !str_starts(path, str_from(places[check->entry])))
		return false;
	if (package >= 0 && !str_starts(str_sub(path, 9, path.n), str_from(package_names[package])))
		return false;
	return !c->is_native || is_for(check->files, path);
}

unsigned
jobs_covering(const struct config *c, struct str path)
{
	unsigned jobs = 0;

	for (int job = 0; job < CHECK_JOBS; job++)
		if (job % CHECKS_MOST < c->check_count && covers(c, job, path))
			jobs |= 1u << job;
	return jobs;
}

struct str
job_content(const struct model *m, struct str files, int job)
{
	const struct check *check = &m->config->checks[job % CHECKS_MOST];
	struct buf covered = BUF(m->world->arena, SIZE_MAX);
	struct str line;

	while (str_next(&files, '\n', &line)) {
		ptrdiff_t tab = str_find_char(line, '\t');

		if (tab > 0 && covers(m->config, job, str_sub(line, (size_t)tab + 1, line.n)))
			buf_addf(&covered, STR_FMT "\n", STR_ARG(line));
	}
	return str_fmt(m->world->arena, "job %d, definition %d.%d.%d, content %016llx;", job, check->variant,
		       check->has_timeout, check->files, (unsigned long long)text_hash(buf_str(&covered)));
}

void
content_reuse(const struct model *m, struct gates_step *step)
{
	const struct gates *g = &m->gates;
	const struct repository *r = &step->repository;

	for (int job = 0; job < CHECK_JOBS && m->config->is_native; job++) {
		unsigned bit = 1u << job;

		if (!(step->planned & bit) || (g->outstanding & bit) ||
		    m->config->checks[job % CHECKS_MOST].is_rerun)
			continue;
		if (g->unknown_keys & bit)
			step->unsure |= bit;
		else if (str_eq(g->keys[job], job_content(m, r->files, job)))
			step->reused |= bit;
	}
}

void
content_note_passes(struct model *m, struct str before, const struct gates_ran *r)
{
	struct str after;

	if (!m->config->is_native || (r->ran & ~r->failed) == 0 || before.n == 0)
		return;
	after = repository_files(m->world, tree_now(m->world));
	for (int job = 0; job < CHECK_JOBS; job++) {
		struct str content = job_content(m, after, job);
		/* Of several stops at once, a later one may have run it for what an earlier one's checks had written. */
		bool is_again = r->again & 1u << job;

		if ((r->ran & ~r->failed & 1u << job) &&
		    (is_again || str_eq(content, job_content(m, before, job))))
			m->passes = str_fmt(m->world->arena, STR_FMT STR_FMT "\n", STR_ARG(m->passes),
					    STR_ARG(content));
	}
}

void
content_after(struct model *m, const struct gates_step *step, const struct gates_ran *r)
{
	struct gates *g = &m->gates;
	struct str files;

	if (!m->config->is_native || r->ran == 0)
		return;
	files = repository_files(m->world, tree_now(m->world));
	bool moves = false;

	for (int i = 0; i < m->config->check_count; i++)
		moves |= (r->ran & check_jobs(m->config, i)) &&
			 m->config->checks[i].manner >= MANNER_SWITCHES;
	for (int job = 0; job < CHECK_JOBS; job++) {
		struct str before = job_content(m, step->repository.files, job);
		bool is_same = str_eq(before, job_content(m, files, job));

		if (!(r->ran & 1u << job))
			continue;
		/* Where a check moves HEAD or writes next to files, what passed with it may have to run again. */
		g->unknown_keys = moves && is_same ? g->unknown_keys | 1u << job
						   : g->unknown_keys & ~(1u << job);
		g->keys[job] = is_same && step->repository.covers_all ? before : STR_NONE;
	}
}

unsigned
content_unseen(const struct model *m, const struct gates_step *step, const struct gates_ran *r)
{
	unsigned unseen = 0;

	for (int job = 0; job < CHECK_JOBS && m->config->is_native; job++)
		if ((step->planned & ~r->ran & 1u << job) &&
		    str_find(m->passes, job_content(m, step->repository.files, job)) < 0)
			unseen |= 1u << job;
	return unseen;
}
