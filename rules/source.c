// source.c - the sources of limits: who published them, and when
// SPDX-License-Identifier: MIT

#include "rules/rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scan.h"

// The year at the beginning of a text; 0 if there is none.
static unsigned
year_at(struct pmon_span text)
{
	struct pmon_span digits = {text.ptr, 4};
	uint64_t year;

	if (text.len < 4 || !pmon_num_parse_u64(digits, &year) || year < 1900 || year > 2099)
		return 0;
	return text.len > 4 && pmon_is_digit(text.ptr[4]) ? 0 : (unsigned)year;
}

static bool
ends_with(struct pmon_span text, const char *end)
{
	size_t len = strlen(end);

	return text.len >= len && memcmp(text.ptr + text.len - len, end, len) == 0;
}

// before: the text up to the blank before a year.
static bool
follows_comma(struct pmon_span before)
{
	return ends_with(before, ",") || ends_with(before, ", about");
}

unsigned
rules_source_year(const struct rules_source *source)
{
	unsigned year = 0;

	for (size_t i = 0; i < source->texts.n; i++) {
		struct pmon_span line = source->texts.list[i];
		struct pmon_span last = {"", 0}; // the previous line

		if (i > 0)
			last = source->texts.list[i - 1];

		for (size_t at = 0; at < line.len; at++) {
			unsigned here = year_at((struct pmon_span){line.ptr + at, line.len - at});

			if (here > 0 &&
			    (at > 0 ? follows_comma((struct pmon_span){line.ptr, at - 1})
				    : follows_comma(last)))
				year = here;
		}
	}
	return year;
}

struct rules_source *
rules_open_source(struct rules_rule *rule)
{
	if (rule->n_sources > 0 && rule->sources[rule->n_sources - 1].link.len == 0)
		return &rule->sources[rule->n_sources - 1];
	return rule->n_sources < RULES_LINES ? &rule->sources[rule->n_sources++] : NULL;
}

void
rules_free(struct rules *rules)
{
	rules_free_patterns(rules);
	free(rules->text);
	free(rules->list);
	*rules = (struct rules){.n = 0};
}
