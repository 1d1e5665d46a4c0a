// test_packs.c - the rules that are shipped: what each must have, and that each can be crossed
// SPDX-License-Identifier: MIT
//
// Counter names are checked against lists of counters from real machines (PMON_TEST_DATA), against
// threshold files of PAL, and against docs/reference/counters-linux.md. The logs are generated from
// the condition of each rule.

#include <pmon/pmon.h>

#include <math.h>
#include <stdlib.h>

#include "draw/unit.h"
#include "t.h"
#include "trial.h"

#define SEC      PMON_TIME_PER_SEC
#define STEP     10     // seconds between samples
#define WHOLE    1.6e10 // of what a share is of
#define N_CPU    4
#define OLD_FROM 2013 // what was published before is marked as old

// ---- What each rule has ---------------------------------------------------------------------

static struct rules
parsed(const struct rules_pack *pack)
{
	struct rules rules;
	struct rules_error why;

	if (!rules_parse(pack->text, &rules, &why))
		fail_msg("%s.rules:%u:%u: %s", pack->name, why.line, why.column, why.text);
	return rules;
}

static bool
says_old(const struct rules_source *source)
{
	char text[1024] = "";

	for (size_t i = 0; i < source->texts.n; i++) {
		strncat(text, source->texts.list[i].ptr, source->texts.list[i].len);
		strcat(text, " ");
	}
	return strstr(text, "old advice") != NULL;
}

static void
check_rule(const struct rules_pack *pack, const struct rules_rule *rule)
{
	print_message("%s: %.*s\n", pack->name, (int)rule->name.len, rule->name.ptr);
	assert_true(pmon_text_same(rule->pack, t_span(pack->name)));
	assert_in_range(rule->texts.n, 1, RULES_LINES);
	assert_in_range(rule->advice.n, 1, RULES_LINES);
	assert_in_range(rule->n_sources, 1, RULES_LINES);
	assert_int_not_equal(rule->hold.lasting, RULES_SHARE);
	for (size_t i = 0; i < rule->n_sources; i++) {
		unsigned year = rules_source_year(&rule->sources[i]);

		assert_in_range(rule->sources[i].texts.n, 1, RULES_LINES);
		assert_int_equal(memcmp(rule->sources[i].link.ptr, "https://", 8), 0);
		assert_in_range(year, 1990, 2026);
		assert_int_equal(says_old(&rule->sources[i]), year < OLD_FROM);
	}
}

static void
rules_are_complete(void **state)
{
	(void)state;
	for (const struct rules_pack *pack = rules_packs(); pack->name != NULL; pack++) {
		struct rules rules = parsed(pack);

		assert_in_range(rules.n, 3, 100);
		for (size_t i = 0; i < rules.n; i++)
			check_rule(pack, &rules.list[i]);
		rules_free(&rules);
	}
}

// All packs are judged together, so no name may occur twice.
static void
packs_go_together(void **state)
{
	struct pmon_span texts[32];
	struct rules rules;
	struct rules_error why = {0, 0, ""};
	size_t n = 0;

	(void)state;
	for (const struct rules_pack *pack = rules_packs(); pack->name != NULL; pack++)
		texts[n++] = pack->text;
	if (!rules_parse_texts(texts, n, &rules, &why))
		fail_msg("%u:%u: %s", why.line, why.column, why.text);
	rules_free(&rules);
}

// ---- Names of counters ----------------------------------------------------------------------

// Counters that are in none of the lists: those of Exchange as named in the rule's source, and
// those of esxtop's batch mode.
static const struct {
	const char *object;
	const char *counter;
} named_by_sources[] = {
	{"MSExchangeTransport Queues", "Largest Delivery Queue Length"},
	{"Vcpu", "% Ready"},
	{"Vcpu", "% CoStop"},
	{"Vcpu", "% Max Limited"},
	{"Vcpu", "% Swap Wait"},
	{"Group Memory", "Memctl MBytes"},
	{"Group Memory", "Swap Read MBytes/sec"},
	{"Physical Disk SCSI Device", "Average Driver MilliSec/Command"},
	{"Physical Disk SCSI Device", "Average Kernel MilliSec/Command"},
	{"Physical Cpu", "% Util Time"},
};

static const char *const lists[] = {
	"vectors/known_counters.csv",
	"vectors/known_counters_more.csv",
};

static const char *const pal_files[] = {
	"pal-thresholds/SQLServer2014.xml", "pal-thresholds/HyperV.xml",
	"pal-thresholds/IIS.xml",           "pal-thresholds/AspDotNet.xml",
	"pal-thresholds/DotNet.xml",        "pal-thresholds/ActiveDirectory.xml",
	"pal-thresholds/Exchange2016.xml",  "pal-thresholds/VMWare.xml",
};

// The texts of files, NULL for one that is not there.
struct lookup {
	char *lists[T_LEN(lists)];
	char *pal[T_LEN(pal_files)];
	char *linux_doc;
};

static char *
data_text(const char *name)
{
	const char *path = t_data_path(name);
	size_t len;

	if (path == NULL)
		skip();
	return t_read_file(path, &len);
}

// A row "object,counter,...".
static bool
is_in_list(const char *text, const char *object, const char *counter)
{
	char row[1024];

	(void)snprintf(row, sizeof(row), "\n%s,%s,", object, counter);
	return strstr(text, row) != NULL;
}

// An attribute "\object(instance)\counter".
static bool
is_in_pal(const char *text, const char *object, const char *counter)
{
	char begin[1024];
	char end[1024];

	(void)snprintf(begin, sizeof(begin), "\"\\%s", object);
	(void)snprintf(end, sizeof(end), "\\%s\"", counter);
	for (const char *at = strstr(text, begin); at != NULL; at = strstr(at + 1, begin)) {
		const char *rest = at + strlen(begin);

		if (*rest == '(')
			rest += strcspn(rest, ")\"") + 1;
		if (strncmp(rest, end, strlen(end)) == 0)
			return true;
	}
	return false;
}

// A row "| `counter` |" below the heading "### object".
static bool
is_on_linux(const char *text, const char *object, const char *counter)
{
	char heading[1024];
	char row[1024];
	const char *section;
	const char *end;
	const char *found;

	(void)snprintf(heading, sizeof(heading), "\n### %s\n", object);
	(void)snprintf(row, sizeof(row), "\n| `%s` |", counter);
	section = strstr(text, heading);
	if (section == NULL)
		return false;
	end = strstr(section + 1, "\n### ");
	found = strstr(section, row);
	return found != NULL && (end == NULL || found < end);
}

static bool
is_known(const struct lookup *in, const char *object, const char *counter)
{
	for (size_t i = 0; i < T_LEN(named_by_sources); i++)
		if (strcmp(object, named_by_sources[i].object) == 0 &&
		    strcmp(counter, named_by_sources[i].counter) == 0)
			return true;
	for (size_t i = 0; i < T_LEN(lists); i++)
		if (is_in_list(in->lists[i], object, counter))
			return true;
	for (size_t i = 0; i < T_LEN(pal_files); i++)
		if (is_in_pal(in->pal[i], object, counter))
			return true;
	return is_on_linux(in->linux_doc, object, counter);
}

static size_t
count_unknown(const struct lookup *in, const struct rules_patterns *patterns)
{
	size_t n = 0;

	for (size_t i = 0; i < patterns->n; i++) {
		const struct pmon_path *p = &patterns->list[i]->path;
		char object[256];
		char counter[256];

		(void)snprintf(object, sizeof(object), "%.*s", (int)p->object.len, p->object.ptr);
		(void)snprintf(counter, sizeof(counter), "%.*s", (int)p->counter.len,
			       p->counter.ptr);
		if (strchr(counter, '*') != NULL || is_known(in, object, counter))
			continue;
		print_error("no machine was seen to have \\%s\\%s\n", object, counter);
		n++;
	}
	return n;
}

static void
counters_exist(void **state)
{
	struct lookup in;
	size_t unknown = 0;
	char doc[512];
	size_t len;

	(void)state;
	for (size_t i = 0; i < T_LEN(lists); i++)
		in.lists[i] = data_text(lists[i]);
	for (size_t i = 0; i < T_LEN(pal_files); i++)
		in.pal[i] = data_text(pal_files[i]);
	(void)snprintf(doc, sizeof(doc), "%s/docs/reference/counters-linux.md",
		       getenv("PMON_SOURCE_DIR"));
	in.linux_doc = t_read_file(doc, &len);
	assert_non_null(in.linux_doc);
	for (const struct rules_pack *pack = rules_packs(); pack->name != NULL; pack++) {
		struct rules rules = parsed(pack);

		for (size_t i = 0; i < rules.n; i++)
			unknown += count_unknown(&in, &rules.list[i].counters) +
				   count_unknown(&in, &rules.list[i].of) +
				   count_unknown(&in, &rules.list[i].whiles) +
				   count_unknown(&in, &rules.list[i].shows) +
				   count_unknown(&in, &rules.list[i].with) +
				   count_unknown(&in, &rules.list[i].without);
		rules_free(&rules);
	}
	for (size_t i = 0; i < T_LEN(lists); i++)
		free(in.lists[i]);
	for (size_t i = 0; i < T_LEN(pal_files); i++)
		free(in.pal[i]);
	free(in.linux_doc);
	assert_int_equal(unknown, 0);
}

// ---- Logs made from conditions --------------------------------------------------------------

// The series that one rule is judged by.
struct stage {
	struct trial t;
	const struct rules_rule *rule;
	uint32_t counter;
	uint32_t of;
	uint32_t when;
	uint32_t with;
	uint32_t processors[N_CPU];
	bool has_of, has_when, has_with;
	double of_value; // as it is displayed
	double when_value;
};

// A path that matches the pattern, with a name for each wildcard.
static uint32_t
add_series(struct trial *t, const struct pmon_path *pattern)
{
	char path[1024];

	assert_in_range(pmon_path_format(pattern, path, sizeof(path)), 1, sizeof(path) - 1);
	// "Available *" is in bytes, whatever else.
	if (path[strlen(path) - 1] == '*')
		strcpy(path + strlen(path) - 1, "Bytes");
	for (char *at = path; *at != '\0'; at++)
		if (*at == '*')
			*at = 'x';
	return mem_source_series(t->m, path, PMON_PERF_DOUBLE_RAW, 0);
}

static double
factor_of(struct stage *s, uint32_t series)
{
	return draw_unit_of(pmon_schema_at(&s->t.m->base.schema, series)).factor;
}

static void
put(struct stage *s, uint32_t series, double value)
{
	int64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	mem_source_raw(s->t.m, series, bits, 0);
}

static struct stage
set_stage(const struct rules_pack *pack, size_t i)
{
	struct stage s = {.t = {.m = mem_source_new(), .options = {.episodes = true}}};
	const struct rules_rule *r;

	s.t.rules = parsed(pack);
	r = s.rule = &s.t.rules.list[i];
	s.counter = add_series(&s.t, &r->counters.list[0]->path);
	s.has_of = r->of.n > 0;
	s.has_with = r->with.n > 0;
	s.has_when = r->whiles.n > 0 &&
		     !pmon_path_match(&r->whiles.list[0]->path,
				      &pmon_schema_at(&s.t.m->base.schema, s.counter)->path);
	if (s.has_of) {
		s.of = add_series(&s.t, &r->of.list[0]->path);
		s.of_value = WHOLE / factor_of(&s, s.of);
	}
	if (s.has_when) {
		const struct draw_threshold *limit = &r->while_limits[0].threshold;

		s.when = add_series(&s.t, &r->whiles.list[0]->path);
		s.when_value = limit->value * (limit->below ? 0.9 : 1.1);
		s.when_value /= limit->any ? 1 : factor_of(&s, s.when);
	}
	if (s.has_with && !pmon_path_match(&r->with.list[0]->path,
					   &pmon_schema_at(&s.t.m->base.schema, s.counter)->path))
		s.with = add_series(&s.t, &r->with.list[0]->path);
	else
		s.has_with = false;
	for (int cpu = 0; cpu < N_CPU; cpu++) {
		char path[64];

		(void)snprintf(path, sizeof(path), "\\Processor(%d)\\%% Processor Time", cpu);
		s.processors[cpu] = mem_source_series(s.t.m, path, PMON_PERF_DOUBLE_RAW, 0);
	}
	return s;
}

// The value that is displayed where the one that is compared is `measure`.
static double
displayed(struct stage *s, const struct rules_limit *limit, double measure)
{
	double value = measure / s->rule->times;

	if (s->has_of)
		return value / 100 * WHOLE / factor_of(s, s->counter);
	if (s->rule->per_processor)
		value *= N_CPU;
	return limit->threshold.any ? value : value / factor_of(s, s->counter);
}

static size_t
samples_needed(const struct rules_hold *hold)
{
	return hold->lasting == RULES_TIME ? (size_t)(hold->time_100ns / (STEP * SEC)) + 1
					   : (size_t)hold->samples + 1;
}

// For a level, and for the one below it, which may need more.
static size_t
samples_for(const struct rules_rule *r, enum rules_level level, bool below)
{
	size_t n = samples_needed(&r->limits[level].hold);
	size_t other = below && r->limits[RULES_WARNING].given
			       ? samples_needed(&r->limits[RULES_WARNING].hold)
			       : 0;

	return n > other ? n : other;
}

// Samples with a value of the counter, and with everything else so that the rule is judged.
static void
put_samples(struct stage *s, size_t n, double value)
{
	for (size_t i = 0; i < n; i++) {
		mem_source_sample(s->t.m, (pmon_time)(1000 + STEP * s->t.m->n) * SEC);
		put(s, s->counter, value);
		if (s->has_of)
			put(s, s->of, s->of_value);
		if (s->has_when)
			put(s, s->when, s->when_value);
		if (s->has_with)
			put(s, s->with, 0);
		for (int cpu = 0; cpu < N_CPU; cpu++)
			put(s, s->processors[cpu], 5);
	}
}

// The level that was crossed, or RULES_LEVELS if the rule was kept. Fails the test if it was not
// judged.
static enum rules_level
judged_level(struct stage *s)
{
	enum rules_level level = RULES_LEVELS;
	size_t i = (size_t)(s->rule - s->t.rules.list);
	enum rules_outcome outcome;
	size_t series;

	trial_judge(&s->t);
	outcome = rules_judge_outcome(s->t.judge, i, &series);
	if (outcome < RULES_KEPT)
		fail_msg("%.*s is not judged: %s", (int)s->rule->name.len, s->rule->name.ptr,
			 rules_reason(outcome));
	assert_int_equal(series, 1);
	for (size_t k = 0; k < s->t.n_findings; k++)
		if (s->t.findings[k].rule == s->rule)
			level = s->t.findings[k].level;
	trial_end(&s->t);
	return level;
}

// How far beyond the limit, in the compared unit; negative means within it.
static double
measure_at(const struct rules_limit *limit, double by)
{
	double value = limit->threshold.value;
	double step = value == 0 ? 1 : fabs(value) / 100;

	if (value == 0 && by < 0)
		return 0;
	return value + (limit->threshold.below ? -step : step) * by;
}

static enum rules_level
judge_at(const struct rules_pack *pack, size_t i, enum rules_level level, double by,
	 size_t short_by)
{
	struct stage s = set_stage(pack, i);
	const struct rules_limit *limit = &s.rule->limits[level];
	double calm = limit->threshold.below ? limit->threshold.value * 100 : 0;

	put_samples(&s, 3, displayed(&s, limit, calm));
	put_samples(&s, samples_for(s.rule, level, by <= 0) - short_by,
		    displayed(&s, limit, measure_at(limit, by)));
	put_samples(&s, 3, displayed(&s, limit, calm));
	return judged_level(&s);
}

// Values that grow for twice the range of a rule, by this many times its limit.
static enum rules_level
judge_growth(const struct rules_pack *pack, size_t i, double times)
{
	struct stage s = set_stage(pack, i);
	const struct draw_threshold *limit = &s.rule->limits[RULES_WARNING].threshold;
	double per_sample = limit->value * times * STEP / 3600;
	size_t n = (size_t)(2 * s.rule->trend_100ns / (STEP * SEC));

	per_sample /= limit->any ? 1 : factor_of(&s, s.counter);
	for (size_t k = 0; k < n; k++)
		put_samples(&s, 1, 1000 * per_sample + per_sample * (double)k);
	return judged_level(&s);
}

static void
check_trend(const struct rules_pack *pack, const struct rules_rule *rule, size_t i)
{
	if (judge_growth(pack, i, 1.1) != RULES_WARNING)
		fail_msg("%.*s is not crossed", (int)rule->name.len, rule->name.ptr);
	if (judge_growth(pack, i, 0.9) != RULES_LEVELS)
		fail_msg("%.*s is crossed within its limit", (int)rule->name.len, rule->name.ptr);
}

static void
check_level(const struct rules_pack *pack, const struct rules_rule *rule, size_t i,
	    enum rules_level level)
{
	enum rules_level below = level == RULES_CRITICAL && rule->limits[RULES_WARNING].given
					 ? RULES_WARNING
					 : RULES_LEVELS;

	if (rule->trend_100ns > 0) {
		check_trend(pack, rule, i);
		return;
	}
	if (judge_at(pack, i, level, 1, 0) != level)
		fail_msg("%.*s is not crossed", (int)rule->name.len, rule->name.ptr);
	if (judge_at(pack, i, level, -1, 0) != below)
		fail_msg("%.*s is crossed within its limit", (int)rule->name.len, rule->name.ptr);
	if (judge_at(pack, i, level, 0, 0) != (rule->limits[level].or_equal ? level : below))
		fail_msg("%.*s at its limit", (int)rule->name.len, rule->name.ptr);
	if (samples_for(rule, level, false) > 2 && judge_at(pack, i, level, 1, 2) != RULES_LEVELS)
		fail_msg("%.*s is crossed too early", (int)rule->name.len, rule->name.ptr);
}

static void
rules_are_crossed_and_kept(void **state)
{
	(void)state;
	for (const struct rules_pack *pack = rules_packs(); pack->name != NULL; pack++) {
		struct rules rules = parsed(pack);

		for (size_t i = 0; i < rules.n; i++)
			for (int level = 0; level < RULES_LEVELS; level++)
				if (rules.list[i].limits[level].given)
					check_level(pack, &rules.list[i], i,
						    (enum rules_level)level);
		rules_free(&rules);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_are_complete),
		cmocka_unit_test(packs_go_together),
		cmocka_unit_test(counters_exist),
		cmocka_unit_test(rules_are_crossed_and_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
