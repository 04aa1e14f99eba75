/* SPDX-License-Identifier: MIT */
/* The output of a failed command: any bytes come to an end, and what is shown is bounded, valid UTF-8 without control
 * characters; there is something to show unless the output is blank. The bytes are taken for a holdfast.yml, too: a gate that
 * is added to it changes nothing else. */
#include "base/buf.h"
#include "base/escapes.h"
#include "base/utf8.h"
#include "doc/yaml.h"
#include "install/gate_file.h"
#include "output/failing_lines.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
check_shown(struct arena *a, struct str output, size_t max)
{
	struct str shown = failing_lines(a, output, max), rest = shown, line;
	size_t lines = 0;

	while (str_next(&rest, '\n', &line))
		lines++;
	if (shown.n > max || shown.n > FAILING_BYTES_MAX || lines > FAILING_LINES_MAX)
		abort();
	if (!utf8_is_valid(shown) || strip_escapes(a, shown).s != shown.s)
		abort();
	if (max > 200 && shown.n == 0 && str_trim(strip_escapes(a, output)).n > 0)
		abort();
}

static void
check_added(struct arena *a, struct str text)
{
	const struct gate_entry gate = { .name = STR("added"), .command = STR("make test") };
	struct node before, after;
	struct str changed;
	struct err err;

	if (gate_file_add(a, text, &gate, &changed, &err) < 0)
		return;
	if (yaml_parse(a, text, &before, &err) < 0 || yaml_parse(a, changed, &after, &err) < 0)
		abort();
	/* a second time it is there */
	if (changed.n <= text.n || gate_file_add(a, changed, &gate, &changed, &err) == 0)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str text = { (const char *)data, n };

	check_shown(&a, text, SIZE_MAX);
	check_shown(&a, text, 100);
	check_added(&a, text);
	return 0;
}
