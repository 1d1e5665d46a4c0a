// plan.c - map counters to OpenMetrics: kinds, units, names
// SPDX-License-Identifier: MIT
//
// A type is preserved by writing what it counts, not what it displays: rates as counters, averages
// and shares as two counters to divide, instantaneous values as gauges. Converting ticks to seconds
// only changes the unit.

#include "format/openmetrics/openmetrics.h"

#include <string.h>

#include "base/scan.h"
#include "base/text.h"
#include "base/utf.h"
#include "core/calc.h"
#include "model/schema.h"

// Ticks per second of the clock that the type word names.
static int64_t
ticks_of(const struct pmon_series *series)
{
	struct pmon_type_fields fields;

	pmon_type_decode(series->counter.type, &fields);
	if (fields.timer == 1)
		return PMON_TIME_PER_SEC;
	return series->counter.time_base > 0 ? series->counter.time_base : 0;
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
is_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || pmon_is_digit(c);
}

// Does the text contain this word on its own?
static bool
has_word(struct pmon_span text, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= text.len; i++) {
		size_t k = 0;

		while (k < n && lower(text.ptr[i + k]) == word[k])
			k++;
		if (k == n && (i == 0 || !is_alnum(lower(text.ptr[i - 1]))) &&
		    (i + n == text.len || !is_alnum(lower(text.ptr[i + n]))))
			return true;
	}
	return false;
}

// Units in counter names, and Prometheus' base units.
struct unit_word {
	const char *word;
	const char *unit;
	int64_t times;
	int64_t ticks;
};

static const struct unit_word *
find_unit(const struct pmon_series *series)
{
	static const struct unit_word words[] = {
		{"bytes", "bytes", 0, 0},
		{"kb", "bytes", 1024, 0},
		{"kbytes", "bytes", 1024, 0},
		{"kilobytes", "bytes", 1024, 0},
		{"mb", "bytes", 1048576, 0},
		{"mbytes", "bytes", 1048576, 0},
		{"megabytes", "bytes", 1048576, 0},
		{"gb", "bytes", 1073741824, 0},
		{"gbytes", "bytes", 1073741824, 0},
		{"gigabytes", "bytes", 1073741824, 0},
		{"ms", "seconds", 0, 1000},
		{"msec", "seconds", 0, 1000},
		{"milliseconds", "seconds", 0, 1000},
	};
	static const struct unit_word seconds = {"s", "seconds", 0, 0};
	static const struct unit_word none = {NULL, "", 0, 0};
	static const char end[] = " (s)"; // "s" may be anything elsewhere
	struct pmon_span name = series->path.counter;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (has_word(name, words[i].word))
			return &words[i];
	return name.len >= sizeof(end) && memcmp(name.ptr + name.len - (sizeof(end) - 1), end,
						 sizeof(end) - 1) == 0
		       ? &seconds
		       : &none;
}

static void
take_unit(struct om_plan *plan, const struct unit_word *unit)
{
	struct om_part *part = &plan->parts[OM_MAIN];

	part->unit = unit->unit;
	part->times = unit->times;
	part->ticks = unit->ticks;
	plan->unit_word = unit->word;
	plan->scale = (unit->times > 0 ? (double)unit->times : 1) /
		      (unit->ticks > 0 ? (double)unit->ticks : 1);
}

static struct om_part
count_part(const char *what)
{
	return (struct om_part){.from = OM_N, .unit = "", .suffix = "", .what = what};
}

static struct om_part
time_part(const struct pmon_series *series, const char *what)
{
	int64_t ticks = ticks_of(series);

	return (struct om_part){
		.from = OM_N,
		.ticks = ticks,
		.unit = ticks > 0 ? "seconds" : "ticks",
		.suffix = "",
		.what = what,
	};
}

static struct om_part
gauge_part(enum om_from from, const char *unit, const char *what)
{
	return (struct om_part){.from = from, .unit = unit, .suffix = "", .what = what};
}

static struct om_part
intervals_part(const char *suffix)
{
	return (struct om_part){
		.from = OM_PAIRS, .unit = "", .suffix = suffix, .what = "the number of intervals"};
}

// The divisor of the differences of N.
static struct om_part
base_part(const struct pmon_series *series, const struct pmon_counter_type *type)
{
	struct om_part part = {.from = OM_D, .unit = "", .suffix = "_base"};

	if (type->second == PMON_SECOND_BASE) {
		part.what = "the base to divide by";
		return part;
	}
	part.ticks = ticks_of(series);
	part.unit = part.ticks > 0 ? "seconds" : "ticks";
	part.suffix = part.ticks > 0 ? "_base_seconds" : "_base_ticks";
	part.what = "the time to divide by";
	return part;
}

static void
plan_double(const struct pmon_series *series, struct om_plan *plan)
{
	const struct pmon_counter_type *known =
		pmon_series_says_type(series) ? pmon_type_by_word(series->known_type) : NULL;
	const char *unit = known != NULL ? known->unit : "";
	bool is_percent = unit[0] == '%';

	plan->parts[OM_MAIN] = gauge_part(is_percent ? OM_RATIO : OM_VALUE,
					  is_percent               ? "ratio"
					  : strcmp(unit, "s") == 0 ? "seconds"
								   : "",
					  "the displayed value");
	// "bytes" on its own keeps its position in the name
	if (plan->parts[OM_MAIN].unit[0] == '\0' && find_unit(series)->word != NULL &&
	    strcmp(find_unit(series)->word, "bytes") != 0)
		take_unit(plan, find_unit(series));
}

static void
plan_fraction(struct om_plan *plan)
{
	plan->parts[OM_MAIN] = gauge_part(OM_FIRST, "", "the part");
	plan->parts[OM_BASE] = gauge_part(OM_SECOND, "", "the whole to divide by");
	plan->parts[OM_BASE].suffix = "_base";
	plan->parts[OM_EXTRA] = gauge_part(OM_RATIO, "ratio", "the displayed value");
	plan->parts[OM_EXTRA].suffix = "_ratio";
}

// Types that divide differences of N by those of a clock or a base.
static void
plan_ratio(const struct pmon_series *series, struct om_plan *plan)
{
	const struct pmon_counter_type *type = plan->type;
	enum pmon_formula formula = type->formula;
	bool counts = formula == PMON_FORMULA_RATE ||
		      (formula != PMON_FORMULA_AVERAGE_TIME && type->second == PMON_SECOND_BASE);

	plan->parts[OM_MAIN] =
		counts ? count_part(type->numerator) : time_part(series, type->numerator);
	if (counts)
		take_unit(plan, find_unit(series));
	// Without ticks per second these types have no value.
	if (!pmon_formula_needs_time_base(formula) || ticks_of(series) > 0)
		plan->parts[OM_BASE] = base_part(series, type);
	if (pmon_formula_is_multi(formula)) {
		plan->parts[OM_EXTRA] = gauge_part(OM_MULTI, "", "the number of units");
		plan->parts[OM_EXTRA].suffix = "_units";
	} else if (type->second == PMON_SECOND_BASE) {
		// If the base did not change the value is 0; if its pair was bad there is none.
		plan->parts[OM_EXTRA] = intervals_part("_intervals");
	}
}

bool
pmon_om_plan_make(const struct pmon_series *series, struct om_plan *plan)
{
	const struct pmon_counter_type *type = pmon_type_by_word(series->counter.type);

	*plan = (struct om_plan){.type = type, .scale = 1};
	if (type == NULL)
		return false;
	switch (type->formula) {
	case PMON_FORMULA_NONE:
		return false;
	case PMON_FORMULA_COUNT:
		plan->parts[OM_MAIN] = gauge_part(OM_FIRST, "", "the value");
		take_unit(plan, find_unit(series));
		return true;
	case PMON_FORMULA_DOUBLE:
		plan_double(series, plan);
		return true;
	case PMON_FORMULA_FRACTION:
		plan_fraction(plan);
		return true;
	case PMON_FORMULA_ELAPSED:
		plan->parts[OM_MAIN] = gauge_part(OM_VALUE, "seconds", "time since the start");
		return true;
	case PMON_FORMULA_DELTA:
		plan->parts[OM_MAIN] = count_part("the count");
		take_unit(plan, find_unit(series));
		plan->parts[OM_BASE] = intervals_part("_base");
		return true;
	default:
		plan_ratio(series, plan);
		return true;
	}
}

// ---- Names ----------------------------------------------------------------------------------

static bool
is_word(const char *word, size_t len, const char *other)
{
	return len == strlen(other) && memcmp(word, other, len) == 0;
}

// Units that are not base units stay in names, because an object may have both Available Bytes and
// Available MBytes. promtool mistakes long unit names for the unit of the metric.
static const char *
short_word(const char *word)
{
	static const char *const words[][2] = {{"kilobytes", "kbytes"},
					       {"megabytes", "mbytes"},
					       {"gigabytes", "gbytes"},
					       {"milliseconds", "ms"}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(word, words[i][0]) == 0)
			return words[i][1];
	return word;
}

// Words about how a value is displayed, or a unit that is repeated at the end of the name.
static bool
is_left_out(const char *word, size_t len, const struct om_plan *plan)
{
	static const char *const words[] = {"sec", "avg", "total"};
	bool counts = pmon_om_is_counter(&plan->parts[OM_MAIN]);

	const char *unit = plan->parts[OM_MAIN].unit;

	if (len == strlen(unit) && memcmp(word, unit, len) == 0)
		return true;
	if (plan->unit_word != NULL && plan->scale == 1 && is_word(word, len, plan->unit_word))
		return true;
	for (size_t i = 0; counts && i < sizeof(words) / sizeof(words[0]); i++)
		if (len == strlen(words[i]) && memcmp(word, words[i], len) == 0)
			return true;
	return false;
}

// The next word of a text in the characters allowed in names; non-ASCII letters are replaced by
// their code point. It is folded in the same way as paths are compared: names that differ only in
// case are the same. *slash is set if a slash precedes it. Returns its length, 0 at the end.
static size_t
next_word(struct pmon_span text, size_t *pos, char *word, size_t size, bool *slash)
{
	struct pmon_text t = pmon_text_init(word, size);

	*slash = false;
	while (*pos < text.len) {
		size_t at = *pos;
		uint32_t c = pmon_utf_fold(pmon_utf8_next(text, &at));
		bool is_other = c < 0x80 && !is_alnum((char)c);

		if (is_other && t.len > 0)
			break;
		*pos = at;
		*slash = *slash || c == '/';
		if (is_other)
			continue;
		if (c < 0x80) {
			pmon_text_char(&t, (char)c);
		} else {
			pmon_text_char(&t, 'u');
			pmon_text_u64(&t, c);
		}
	}
	return t.len < size ? t.len : size - 1;
}

// The unit of a span such as "10 s" or "15 Minutes", which is no unit of the metric: "10s", "15m". promtool would
// take the word for one. NULL: another word.
static const char *
span_unit(const char *word)
{
	static const char *const words[][2] = {{"s", "s"},    {"sec", "s"},    {"seconds", "s"},
					       {"min", "m"},  {"minute", "m"}, {"minutes", "m"},
					       {"hour", "h"}, {"hours", "h"},  {"h", "h"}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i][0], word) == 0)
			return words[i][1];
	return NULL;
}

static void
add_words(struct pmon_text *name, struct pmon_span text, const struct om_plan *plan)
{
	char word[OM_NAME_SIZE];
	size_t pos = 0;
	size_t len;
	bool slash;
	bool is_number = false; // the word before

	while ((len = next_word(text, &pos, word, sizeof(word), &slash)) > 0) {
		const char *span = is_number && !slash ? span_unit(word) : NULL;

		is_number = strspn(word, "0123456789") == len;
		if (span != NULL) {
			pmon_text_str(name, span);
			continue;
		}
		if (plan != NULL && is_left_out(word, len, plan))
			continue;
		// "Bytes/Read", but not "I/O"
		if (slash && len > 1)
			pmon_text_str(name, "_per");
		pmon_text_char(name, '_');
		if (slash && is_word(word, len, "sec"))
			pmon_text_str(name, "second");
		else
			pmon_text_str(name, short_word(word));
	}
}

static bool
ends_with(const char *name, const char *end)
{
	size_t n = strlen(name);
	size_t k = strlen(end);

	return n >= k && memcmp(name + n - k, end, k) == 0;
}

// Suffixes that OpenMetrics reserves.
static bool
is_reserved(const char *name)
{
	return ends_with(name, "_total") || ends_with(name, "_count") || ends_with(name, "_sum") ||
	       ends_with(name, "_bucket") || ends_with(name, "_created") ||
	       ends_with(name, "_info");
}

void
pmon_om_plan_name(const struct pmon_series *series, const struct om_plan *plan,
		  char name[OM_NAME_SIZE])
{
	bool idle = plan->type->formula == PMON_FORMULA_PERCENT_INV ||
		    plan->type->formula == PMON_FORMULA_MULTI_INV;
	// room for the suffixes of bases, of duplicate names, and of counters
	const size_t most = OM_NAME_SIZE - 64;
	struct pmon_text t = pmon_text_init(name, most + 3);

	pmon_text_str(&t, "pmon");
	add_words(&t, series->path.object, NULL);
	add_words(&t, series->path.counter, plan);
	name[most - 1] = '\0'; // drop the "..." of a truncated text, which names cannot contain
	t = pmon_text_init(name + strlen(name), OM_NAME_SIZE - strlen(name));
	if (idle)
		pmon_text_str(&t, "_idle");
	if (plan->parts[OM_MAIN].unit[0] != '\0') {
		pmon_text_char(&t, '_');
		pmon_text_str(&t, plan->parts[OM_MAIN].unit);
	} else if (is_reserved(name)) {
		pmon_text_str(&t, "_value");
	}
}

size_t
pmon_om_object_len(const struct pmon_series *series, const char *name)
{
	char object[OM_NAME_SIZE];
	struct pmon_text t = pmon_text_init(object, sizeof(object));

	pmon_text_str(&t, "pmon");
	add_words(&t, series->path.object, NULL);
	if (t.len < sizeof(object) && strncmp(name, object, t.len) == 0 && name[t.len] == '_')
		return t.len;
	return strlen("pmon");
}
