/* SPDX-License-Identifier: MIT */
/* What `holdfast report` makes of the facts: words, and the page. */
#include "test.h"

#include "cmd/report/report.h"
#include "os/fd.h"

#include <sys/mman.h>
#include <unistd.h>

static bool
is_good(const char *reason)
{
	bool is_good;

	(void)words_reason(str_from(reason), &is_good);
	return is_good;
}

TEST(spans_tokens_and_counts_are_words)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	static const struct {
		int64_t ms;
		const char *text;
	} spans[] = {
		{ -1, "-" },
		{ 0, "0 ms" },
		{ 999, "999 ms" },
		{ 1000, "1.0 s" },
		{ 59999, "59.9 s" },
		{ 60000, "1 min 00 s" },
		{ 3599999, "59 min 59 s" },
		{ 3600000, "1 h 00 min" },
		{ 100000000, "27 h 46 min" },
	};
	static const struct {
		int64_t tokens;
		const char *text;
	} tokens[] = {
		{ 0, "0" }, { 999, "999" }, { 1000, "1.0k" }, { 999999, "999.9k" }, { 1250000, "1.2M" }
	};

	for (size_t i = 0; i < COUNT_OF(spans); i++)
		CHECK_STR(words_span(&a, spans[i].ms), spans[i].text);
	for (size_t i = 0; i < COUNT_OF(tokens); i++)
		CHECK_STR(words_tokens(&a, tokens[i].tokens), tokens[i].text);
	CHECK_STR(words_count(&a, 1, "stop", "stops"), "1 stop");
	CHECK_STR(words_count(&a, 0, "stop", "stops"), "0 stops");
	CHECK(is_good("complete") && !is_good("stuck") && !is_good("unheard of"));
}

/* The page as it is written. */
static struct str
page_of(struct arena *a, const struct activity *f)
{
	int fd = memfd_create("page", MFD_CLOEXEC);
	struct str page = STR_NONE;
	struct err err;

	CHECK(activity_html(f, fd, &err) == 0 && lseek(fd, 0, SEEK_SET) == 0);
	CHECK(fd_read_all(a, fd, MIB(64), &page, &err) == 0);
	close(fd);
	return page;
}

TEST(nothing_in_the_facts_of_the_page_can_end_their_element)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(activity_free) struct activity f = activity_new(&a);
	struct str page, empty = page_of(&a, &f);

	f.sessions = &(struct activity_session){ .id = STR("</script><!--&amp;\xE2\x80\xA8") };
	f.session_count = 1;
	page = page_of(&a, &f);
	CHECK(str_find(page, STR("\\u003c/script\\u003e\\u003c!--\\u0026amp;\\u2028")) > 0);
	for (size_t i = 0; i < 3; i++) {
		char mark = "<>&"[i];
		ptrdiff_t more = 0;

		for (size_t k = 0; k < page.n; k++)
			more += page.s[k] == mark;
		for (size_t k = 0; k < empty.n; k++)
			more -= empty.s[k] == mark;
		CHECK(more == 0);
	}
}
