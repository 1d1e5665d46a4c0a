// test_rules.c - rules: what is refused and where, and what is found in values that were written down
// SPDX-License-Identifier: MIT
//
// Lines and columns of faults are counted in the texts here. Shares, lengths and worst values are
// computed by hand, next to each log.

#include <math.h>

#include <pmon/pmon.h>

#include "t.h"
#include "trial.h"

#define SEC PMON_TIME_PER_SEC

// ---- Reading --------------------------------------------------------------------------------

static const char three_rules[] = "\xEF\xBB\xBF# a remark\r\n"
				  "\r\n"
				  "[ Disk reads ]\r\n"
				  "counter = \\PhysicalDisk(*)\\Avg. Disk sec/Read\r\n"
				  "  counter=\\LogicalDisk(*)\\Avg. Disk sec/Read\n"
				  "except = _Total\n"
				  "warning = > 15ms\n"
				  "critical = >= 0.5 s\n"
				  "for = 2.5%\n"
				  "text = Reads are slow; a = b.\n"
				  "source = A registry\n"
				  "[B]\n"
				  "counter = \\Memory\\Available MBytes\n"
				  "of = \\Memory\\Total Bytes\n"
				  "warning = <5%\n"
				  "for = 3 samples\n"
				  "[C]\n"
				  "counter = \\System\\Processor Queue Length\n"
				  "critical = >2\n"
				  "per = processor\n"
				  "times = 0.5\n"
				  "for = 5m";

static void
everything(void **state)
{
	struct rules rules;
	struct rules_error why;
	const struct rules_rule *r;

	(void)state;
	assert_true(rules_parse(t_span(three_rules), &rules, &why));
	assert_int_equal(rules.n, 3);
	r = &rules.list[0];
	assert_true(pmon_text_same(r->name, PMON_SPAN("Disk reads")));
	assert_int_equal(r->line, 3);
	assert_int_equal(r->counters.n, 2);
	assert_true(pmon_text_same(r->counters.list[1]->path.object, PMON_SPAN("LogicalDisk")));
	assert_int_equal(r->excepts.n, 1);
	assert_int_equal(r->limits[RULES_WARNING].threshold.quantity, DRAW_SECONDS);
	T_EQ_DBL(r->limits[RULES_WARNING].threshold.value, 0.015);
	assert_false(r->limits[RULES_WARNING].or_equal);
	T_EQ_DBL(r->limits[RULES_CRITICAL].threshold.value, 0.5);
	assert_true(r->limits[RULES_CRITICAL].or_equal);
	assert_int_equal(r->hold.lasting, RULES_SHARE);
	T_EQ_DBL(r->hold.share, 0.025);
	assert_int_equal(r->texts.list[0].len, strlen("Reads are slow; a = b."));
	r = &rules.list[1];
	assert_true(r->limits[RULES_WARNING].threshold.below);
	assert_false(r->limits[RULES_CRITICAL].given);
	assert_int_equal(r->of.n, 1);
	assert_int_equal(r->hold.lasting, RULES_SAMPLES);
	assert_int_equal(r->hold.samples, 3);
	r = &rules.list[2];
	assert_true(r->per_processor);
	T_EQ_DBL(r->times, 0.5);
	assert_int_equal(r->hold.lasting, RULES_TIME);
	assert_int_equal(r->hold.time_100ns, 300 * SEC);
	rules_free(&rules);
	assert_true(rules_parse(t_span(""), &rules, &why));
	assert_int_equal(rules.n, 0);
	rules_free(&rules);
}

#define RULE "[A]\ncounter = \\A\\B\nwarning = > 1\n"

#define NO_NUMBER    "a limit must be a number with an optional unit, such as 20ms, 5%, 100MB or 2"
#define NO_CLEAR     "clear is beyond the limits or has a different unit"
#define NO_TOP       "must be a pattern and a number up to 20: \\Process(*)\\% Processor Time top 3"
#define TREND        "[A]\ncounter = \\A\\B\ntrend = > 1/h for 1h\n"
#define NO_TREND     "must be a slope and a duration, such as > 50MB/h for 1h"
#define NO_TREND_TOO "trend cannot be combined with warning, critical, clear or for"
#define NO_WITHIN    "share and within must be used together"
#define WITHIN_FOR   "share and within cannot be combined with for or clear"
#define NO_SHARE     "a share of the whole log must apply to all limits of a rule: for = 10%"
#define NO_LENGTH    "must be a share such as 10%, a number of samples, or a duration such as 5m"

static const struct {
	const char *text;
	unsigned line;
	unsigned column;
	const char *why;
} faulty[] = {
	{"counter = \\A\\B\n", 1, 1, "a rule must begin with its [name]"},
	{"\n [A\n", 2, 2, "the bracket is not closed"},
	{"[A] x\n", 1, 4, "unexpected text after the name of the rule"},
	{"[ ]\n", 1, 1, "the name is missing"},
	{RULE "[a]\n", 4, 2, "there is already a rule with this name"},
	{"[A]\n\tcounter\n", 2, 2, "expected [name] or key = value"},
	{"[A]\ncolour = red\n", 2, 1, "there is no such key"},
	{"[A]\nwarning =  \n", 2, 10, "the value is missing"},
	{RULE "warning = > 2\n", 4, 1, "is given twice"},
	{"[A]\ncounter = \\A(b\\C\n", 2, 13, NULL},
	{RULE "of = \\\n", 4, 0, NULL},
	{"[A]\nwarning = 20ms\n", 2, 11, "a limit must begin with >, >=, < or <="},
	{"[A]\nwarning = >\n", 2, 12, NO_NUMBER},
	{"[A]\nwarning = > 20 parsecs\n", 2, 13, NO_NUMBER},
	{"[A]\ncritical = >= ms\n", 2, 15, NO_NUMBER},
	{"[A]\nwarning = > 1 for 5\n", 2, 19, NO_LENGTH},
	{"[A]\nwarning = > for 5m\n", 2, 12, NO_NUMBER},
	{"[A]\ncounter = \\A\\B\nwarning = > 1 for 10%\n", 1, 1, NO_SHARE},
	{RULE "critical = > 2 for 5m\nfor = 10%\n", 1, 1, NO_SHARE},
	{TREND "critical = > 2 for 5m\n", 1, 1, NO_TREND_TOO},
	{RULE "critical = > 2 for 5m\nshare = 10%\nwithin = 1h\n", 1, 1, WITHIN_FOR},
	{RULE "clear = 1 for 5m\n", 4, 9, NO_NUMBER},
	{RULE "while = \\A\\C > 1 for 5m\n", 4, 16, NO_NUMBER},
	{RULE "for = 10\n", 4, 7, NO_LENGTH},
	{RULE "for = 0%\n", 4, 7, NO_LENGTH},
	{RULE "for = 101%\n", 4, 7, NO_LENGTH},
	{RULE "for = 0 samples\n", 4, 7, NO_LENGTH},
	{RULE "for = 1.5 samples\n", 4, 7, NO_LENGTH},
	{RULE "for = 3 fortnights\n", 4, 7, NO_LENGTH},
	{RULE "times = 0\n", 4, 9, "must be a number above 0"},
	{RULE "times = x\n", 4, 9, "must be a number above 0"},
	{RULE "per = disk\n", 4, 7, "must be the word processor"},
	{"\n[A]\nwarning = > 1\n", 2, 1, "this rule has no counter"},
	{"[A]\ncounter = \\A\\B\n[B]\n", 1, 1,
	 "this rule has neither a warning nor a critical limit"},
	{RULE "critical = < 1\n", 1, 1,
	 "warning and critical of this rule have opposite directions"},
	{RULE "show = \\A(*)\\C\n", 4, 8, NO_TOP},
	{RULE "show = \\A(*)\\C top\n", 4, 8, NO_TOP},
	{RULE "show = \\A(*)\\C top 0\n", 4, 8, NO_TOP},
	{RULE "show = \\A(*)\\C top 21\n", 4, 8, NO_TOP},
	{RULE "show = \\A(*\\C top 2\n", 4, 0, NULL},
	{RULE "trend = > 1/h for 1h\n", 4, 9, NO_TREND_TOO},
	{TREND "warning = > 1\n", 1, 1, NO_TREND_TOO},
	{TREND "critical = > 1\n", 1, 1, NO_TREND_TOO},
	{TREND "for = 5m\n", 1, 1, NO_TREND_TOO},
	{TREND "clear = 1\n", 1, 1, NO_TREND_TOO},
	{"[A]\ntrend = 50MB/h for 1h\n", 2, 9, NO_TREND},
	{"[A]\ntrend = > 50MB for 1h\n", 2, 9, NO_TREND},
	{"[A]\ntrend = > 50MB/h\n", 2, 9, NO_TREND},
	{"[A]\ntrend = > 50MB/h for ever\n", 2, 9, NO_TREND},
	{"[A]\ntrend = > /h for 1h\n", 2, 9, NO_TREND},
	{"[A]\ntrend = > 00000000000000000000000000001/h for 1h\n", 2, 9, NO_TREND},
	{RULE "share = 10%\n", 1, 1, NO_WITHIN},
	{RULE "within = 1h\n", 1, 1, NO_WITHIN},
	{RULE "share = 0%\n", 4, 9, "must be a share such as 10%"},
	{RULE "share = 101%\n", 4, 9, "must be a share such as 10%"},
	{RULE "share = 10\n", 4, 9, "must be a share such as 10%"},
	{RULE "within = 10%\n", 4, 10, "must be a duration such as 1h"},
	{RULE "share = 10%\nwithin = 1h\nfor = 5m\n", 1, 1, WITHIN_FOR},
	{RULE "share = 10%\nwithin = 1h\nclear = 1\n", 1, 1, WITHIN_FOR},
	{TREND "share = 10%\nwithin = 1h\n", 1, 1, NO_TREND_TOO},
	{RULE "clear = > 1\n", 4, 9, NO_NUMBER},
	{RULE "clear = 2\n", 1, 1, NO_CLEAR},
	{RULE "clear = 1%\n", 1, 1, NO_CLEAR},
	{RULE "of = \\A\\C\n", 1, 1,
	 "the limits of this rule must be percentages, because it has `of`"},
	{RULE "text = a\033b\n", 4, 9, "invalid UTF-8"},
	{RULE "text = \xFFz\n", 4, 8, "invalid UTF-8"},
	{RULE "except=1\nexcept=2\nexcept=3\nexcept=4\nexcept=5\nexcept=6\nexcept=7\n"
	      "except=8\nexcept=9\n",
	 12, 8, "more than 8 of these"},
};

static void
faults(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(faulty); i++) {
		struct rules rules;
		struct rules_error why;

		if (rules_parse(t_span(faulty[i].text), &rules, &why))
			fail_msg("not refused: %s", faulty[i].text);
		assert_null(rules.list);
		assert_int_equal(why.line, faulty[i].line);
		if (faulty[i].column > 0)
			assert_int_equal(why.column, faulty[i].column);
		if (faulty[i].why != NULL)
			assert_string_equal(why.text, faulty[i].why);
	}
}

static void
bounds(void **state)
{
	static char text[RULES_BYTES + 2];
	struct rules rules;
	struct rules_error why;
	size_t n = 0;

	(void)state;
	memset(text, '#', sizeof(text));
	assert_false(rules_parse((struct pmon_span){text, RULES_BYTES + 1}, &rules, &why));
	assert_true(rules_parse((struct pmon_span){text, RULES_BYTES}, &rules, &why)); // one line
	rules_free(&rules);
	for (int i = 0; i < RULES_MOST + 1; i++)
		n += (size_t)sprintf(text + n, "[%d]\ncounter=\\A\\B\nwarning=>1\n", i);
	assert_false(rules_parse((struct pmon_span){text, n}, &rules, &why));
	assert_int_equal(why.line, 3 * RULES_MOST + 1);
	assert_string_equal(why.text, "more than 1000 rules");
}

// ---- Judging --------------------------------------------------------------------------------

static uint32_t
counter(struct trial *t, const char *path)
{
	return mem_source_series(t->m, path, PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);
}

static enum rules_outcome
outcome(const struct trial *t, size_t rule)
{
	size_t series;

	return rules_judge_outcome(t->judge, rule, &series);
}

// Put values at 0, 10, 20 ... seconds; -1 is an invalid value.
static void
put_values(struct trial *t, uint32_t series, const int64_t *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		mem_source_sample(t->m, (pmon_time)(1000 + 10 * i) * SEC);
		if (values[i] >= 0)
			mem_source_raw(t->m, series, values[i], 0);
		else
			mem_source_bad(t->m, series, PMON_RAW_NO_INSTANCE);
	}
}

// Above 5: at 20, 30 and 50 s, which stand for 10 s each, of 60 s in which there are values. One value that is
// not above does not end an episode, so there is one, from 10 to 50 s; the largest value is 9, at 30 s.
static const int64_t wave[] = {1, 2, 6, 9, 5, 7, 1};

static void
how_long(void **state)
{
	static const struct {
		const char *lasting;
		bool found;
	} list[] = {
		{"", true},
		{"for = 1 sample\n", true},
		{"for = 2 samples\n", true},
		{"for = 3 samples\n", true},
		{"for = 4 samples\n", false},
		{"for = 40s\n", true},
		{"for = 41s\n", false},
		{"for = 50%\n", true},
		{"for = 50.1%\n", false},
	};
	char text[200];

	(void)state;
	for (size_t i = 0; i < T_LEN(list); i++) {
		struct trial t;

		(void)snprintf(text, sizeof(text), "[A]\ncounter=\\Q\\N\nwarning = > 5\n%s",
			       list[i].lasting);
		t = trial_of(text);
		put_values(&t, counter(&t, "\\\\S\\Q\\N"), wave, T_LEN(wave));
		trial_judge(&t);
		assert_int_equal(t.n_findings, list[i].found);
		assert_int_equal(outcome(&t, 0), list[i].found ? RULES_CROSSED : RULES_KEPT);
		trial_end(&t);
	}
}

// Above 8 for 10 s, at 30 s; above 5 for 40 s.
static void
each_limit_has_its_time(void **state)
{
	static const struct {
		const char *limits;
		enum rules_level level; // RULES_LEVELS: kept
	} list[] = {
		{"warning = > 5\ncritical = > 8 for 10s\nfor = 41s", RULES_CRITICAL},
		{"for = 40s\nwarning = > 5\ncritical = > 8 for 11s", RULES_WARNING},
		{"warning = > 5\ncritical = > 8 for 2 samples\nfor = 41s", RULES_LEVELS},
		{"warning = > 5 for 40s\ncritical = > 8\nfor = 11s", RULES_WARNING},
		{"warning = > 5 for 41s\ncritical = > 8\nfor = 11s", RULES_LEVELS},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(list); i++) {
		char text[200];
		struct trial t;

		(void)snprintf(text, sizeof(text), "[A]\ncounter=\\Q\\N\n%s", list[i].limits);
		t = trial_of(text);
		put_values(&t, counter(&t, "\\\\S\\Q\\N"), wave, T_LEN(wave));
		trial_judge(&t);
		T_EQ_I64_AT((int64_t)t.n_findings, list[i].level != RULES_LEVELS, list[i].limits);
		if (t.n_findings > 0)
			T_EQ_I64_AT(t.findings[0].level, list[i].level, list[i].limits);
		trial_end(&t);
	}
}

static void
a_finding(void **state)
{
	struct trial t = trial_of("[A]\ncounter=\\Q\\N\nwarning = > 5\ncritical = >= 9\n");
	const struct rules_finding *f;

	(void)state;
	put_values(&t, counter(&t, "\\\\S\\Q\\N"), wave, T_LEN(wave));
	trial_judge(&t);
	assert_int_equal(t.n_findings, 1);
	f = &t.findings[0];
	assert_int_equal(f->level, RULES_CRITICAL);
	assert_int_equal(f->samples, 7);
	assert_int_equal(f->beyond, 1);
	assert_int_equal(f->time_100ns, 60 * SEC);
	assert_int_equal(f->beyond_100ns, 10 * SEC);
	T_EQ_DBL(f->share, 1 / 6.0);
	T_EQ_DBL(f->worst.value, 9);
	assert_int_equal(f->worst_time, 1030 * SEC);
	trial_end(&t);

	t = trial_of("[A]\ncounter=\\Q\\N\nwarning = > 5\ncritical = > 9\n");
	put_values(&t, counter(&t, "\\\\S\\Q\\N"), wave, T_LEN(wave));
	trial_judge(&t);
	f = &t.findings[0];
	assert_int_equal(f->level, RULES_WARNING);
	assert_int_equal(f->beyond, 3);
	assert_int_equal(f->beyond_100ns, 30 * SEC);
	assert_int_equal(f->episodes, 1);
	assert_int_equal(f->longest_100ns, 40 * SEC);
	assert_int_equal(f->longest_samples, 3);
	assert_int_equal(f->longest_from, 1010 * SEC);
	trial_end(&t);
}

static int64_t
bits_of(double number)
{
	int64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

// A limit, and what a value is multiplied by before it is compared with it.
struct edge {
	const char *counter;
	const char *op;
	const char *limit;
	double in_unit; // of the limit
	double times;
	double factor; // of the unit of the counter
};

// A log with these values, and the rule of the edge. Returns how many values are beyond the limit.
static size_t
add_values(struct trial *t, const struct edge *e, const double *values, size_t n)
{
	char path[100];
	uint32_t series;
	size_t beyond = 0;

	(void)snprintf(path, sizeof(path), "\\\\S\\Q\\%s", e->counter);
	series = mem_source_series(t->m, path, PMON_PERF_DOUBLE_RAW, 0);
	for (size_t k = 0; k < n; k++) {
		double product = values[k] * e->times * e->factor;

		mem_source_sample(t->m, (pmon_time)(k + 1) * SEC);
		mem_source_raw(t->m, series, bits_of(values[k]), 0);
		beyond += e->op[0] == '<' ? product < e->in_unit : product > e->in_unit;
		beyond += e->op[1] == '=' && product == e->in_unit;
	}
	return beyond;
}

static void
check_edge(const struct edge *e)
{
	double limit = e->in_unit / e->times / e->factor;
	double values[] = {limit,
			   nextafter(limit, -1),
			   nextafter(limit, 1),
			   limit * 1.5,
			   limit / 1.5,
			   limit * (1 - 1e-12),
			   limit * (1 + 1e-12),
			   -1,
			   1,
			   0,
			   0x1p-1074,
			   -0x1p-1074};
	char text[200];
	struct trial t;
	size_t beyond;

	(void)snprintf(text, sizeof(text), "[A]\ncounter=\\Q\\%s\nwarning = %s %s\ntimes = %g\n",
		       e->counter, e->op, e->limit, e->times);
	t = trial_of(text);
	beyond = add_values(&t, e, values, T_LEN(values));
	trial_judge(&t);
	assert_int_equal(t.n_findings, 1);
	assert_int_equal(t.findings[0].samples, T_LEN(values));
	if (t.findings[0].beyond != beyond)
		fail_msg("%s %s times %g: %llu values, not %zu", e->op, e->limit, e->times,
			 (unsigned long long)t.findings[0].beyond, beyond);
	trial_end(&t);
}

// Numbers around a limit, to the last digit: the product of value, times and factor of the unit is compared.
static void
at_the_limit(void **state)
{
	static const struct edge list[] = {
		{"N", ">", "0.1", 0.1, 1, 1},
		{"N", ">=", "0.1", 0.1, 1, 1},
		{"N", "<", "0.1", 0.1, 3, 1},
		{"N", "<=", "0.1", 0.1, 3, 1},
		{"N", ">", "0", 0, 1, 1},
		{"N", ">=", "0", 0, 0.1, 1},
		{"N", "<", "0", 0, 1, 1},
		{"N", "<=", "0", 0, 7, 1},
		{"N", ">", "-0.3", -0.3, 1, 1},
		{"N", "<", "-0.3", -0.3, 0.7, 1},
		{"Available MBytes", ">", "1001KB", 1001.0 * 1024, 1, 1048576},
		{"Available MBytes", "<=", "1001KB", 1001.0 * 1024, 3, 1048576},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(list); i++)
		check_edge(&list[i]);
}

// A sample without a value is as if it were not in the log: above 5 at 10, 30 and 40 s, from 0 to 40 s. The judged
// values are those at 0 (no time), 10, 30 (20 s) and 40 s.
static void
missing_values(void **state)
{
	static const int64_t values[] = {1, 6, -1, 6, 7};
	struct trial t = trial_of("[A]\ncounter=\\Q\\N\nwarning = > 5\n");
	const struct rules_finding *f;

	(void)state;
	put_values(&t, counter(&t, "\\\\S\\Q\\N"), values, T_LEN(values));
	trial_judge(&t);
	assert_int_equal(t.n_findings, 1);
	f = &t.findings[0];
	assert_int_equal(f->samples, 4);
	assert_int_equal(f->time_100ns, 40 * SEC);
	assert_int_equal(f->longest_samples, 3);
	assert_int_equal(f->longest_100ns, 40 * SEC);
	trial_end(&t);
}

// Of 100 MB (in bytes 100 * 1048576), 7 are left: 7 %, then 3 %. The other machine has no total.
static void
shares_of_another(void **state)
{
	struct trial t =
		trial_of("[A]\ncounter=\\Memory\\Available MBytes\nof=\\Memory\\Total Bytes\n"
			 "warning = < 5%\n");
	uint32_t left = counter(&t, "\\\\S\\Memory\\Available MBytes");
	uint32_t other = counter(&t, "\\\\T\\Memory\\Available MBytes");
	uint32_t total = counter(&t, "\\\\S\\Memory\\Total Bytes");
	static const int64_t values[] = {7, 3};
	size_t series;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		mem_source_sample(t.m, (pmon_time)(i + 1) * SEC);
		mem_source_raw(t.m, left, values[i], 0);
		mem_source_raw(t.m, other, 1, 0);
		mem_source_raw(t.m, total, 100 * 1048576, 0);
	}
	trial_judge(&t);
	assert_int_equal(t.n_findings, 1);
	assert_int_equal(t.findings[0].samples, 2);
	assert_int_equal(t.findings[0].beyond, 1);
	T_EQ_DBL(t.findings[0].worst.value, 3);
	assert_true(pmon_text_same(t.findings[0].series->path.machine, PMON_SPAN("S")));
	assert_int_equal(rules_judge_outcome(t.judge, 0, &series), RULES_CROSSED);
	assert_int_equal(series, 1);
	trial_end(&t);
}

// 90 bytes a second are 720 bits: 72 % of 1000 on the one interface, 7.2 % of 10000 on the other.
static void
the_same_instance(void **state)
{
	struct trial t = trial_of("[A]\ncounter=\\N(*)\\Bytes\nof=\\N(*)\\Bandwidth\ntimes = 8\n"
				  "warning = > 70%\n");
	uint32_t series[4] = {
		counter(&t, "\\\\S\\N(b)\\Bytes"), counter(&t, "\\\\S\\N(b)\\Bandwidth"),
		counter(&t, "\\\\S\\N(a)\\Bytes"), counter(&t, "\\\\S\\N(a)\\Bandwidth")};
	static const int64_t values[] = {90, 10000, 90, 1000};

	(void)state;
	mem_source_sample(t.m, SEC);
	for (size_t i = 0; i < 4; i++)
		mem_source_raw(t.m, series[i], values[i], 0);
	trial_judge(&t);
	assert_int_equal(t.n_findings, 1);
	assert_int_equal(t.findings[0].series->id, series[2]);
	T_EQ_DBL(t.findings[0].share, 1); // of the samples: they stand for no time
	trial_end(&t);
}

// Three processors, once by each object that has them: 7 is above 2 for each, 6 is not.
static void
per_processor(void **state)
{
	struct trial t = trial_of("[A]\ncounter=\\System\\Queue\nwarning = > 2\nper = processor\n");
	static const char *const processors[] = {
		"\\\\S\\Processor Information(0,0)\\% Processor Time",
		"\\\\S\\Processor Information(0,_Total)\\% Processor Time",
		"\\\\S\\Processor(0)\\% Processor Time",
		"\\\\S\\Processor(1)\\% Processor Time",
		"\\\\S\\Processor(2)\\% Processor Time",
		"\\\\S\\Processor(0)\\% User Time",
		"\\\\S\\Processor(_Total)\\% Processor Time",
	};
	uint32_t queue = counter(&t, "\\\\S\\System\\Queue");
	uint32_t unknown = counter(&t, "\\\\T\\System\\Queue");
	static const int64_t values[] = {6, 7, 6};

	(void)state;
	for (size_t i = 0; i < T_LEN(processors); i++)
		(void)counter(&t, processors[i]);
	for (size_t i = 0; i < 3; i++) {
		mem_source_sample(t.m, (pmon_time)(i + 1) * SEC);
		mem_source_raw(t.m, queue, values[i], 0);
		mem_source_raw(t.m, unknown, 1000, 0);
	}
	trial_judge(&t);
	assert_int_equal(rules_judge_processors(t.judge, PMON_SPAN("S")), 3);
	assert_int_equal(t.n_findings, 1);
	assert_int_equal(t.findings[0].beyond, 1);
	T_EQ_DBL(t.findings[0].limit, 6);
	trial_end(&t);
}

// If a rule names two counters, the first that a machine has is judged; excepted series are not.
static void
which_series(void **state)
{
	struct trial t =
		trial_of("[A]\ncounter=\\P(*)\\N\ncounter=\\L(*)\\N\nexcept=_Total\nexcept=x*\n"
			 "warning = > 1\n");
	static const char *const paths[] = {
		"\\\\S\\L(a)\\N", "\\\\S\\P(b)\\N", "\\\\S\\P(_total)\\N", "\\\\S\\P(x1)\\N",
		"\\\\S\\P(c)\\N", "\\\\T\\L(a)\\N", "\\\\T\\P(_Total)\\N",
	};
	uint32_t series[T_LEN(paths)];

	(void)state;
	for (size_t i = 0; i < T_LEN(paths); i++)
		series[i] = counter(&t, paths[i]);
	mem_source_sample(t.m, SEC);
	for (size_t i = 0; i < T_LEN(paths); i++)
		mem_source_raw(t.m, series[i], 5, 0);
	trial_judge(&t);
	assert_int_equal(t.n_findings, 3);
	assert_int_equal(t.findings[0].series->id, series[1]);
	assert_int_equal(t.findings[1].series->id, series[4]);
	assert_int_equal(t.findings[2].series->id, series[5]);
	trial_end(&t);
}

static void
not_judged(void **state)
{
	struct trial t = trial_of("[A]\ncounter=\\Nothing\\Here\nwarning = > 1\n"
				  "[B]\ncounter=\\Q\\N\nwarning = > 1ms\n"
				  "[C]\ncounter=\\Q\\N\nwarning = > 1\nper = processor\n"
				  "[D]\ncounter=\\Q\\Bad\nwarning = > 1\n"
				  "[E]\ncounter=\\Q\\N\nof=\\Q\\All\nwarning = > 1%\n"
				  "[F]\ncounter=\\Q\\N\nwhile=\\Q\\All > 1\nwarning = > 9\n"
				  "[G]\ncounter=\\Q\\N\nwarning = > 9\nper = processor\n"
				  "[H]\ncounter=\\Q\\N\nwhile=\\Q\\Bad > 1\nwarning = > 9\n");
	uint32_t n = counter(&t, "\\\\S\\Q\\N");
	uint32_t bad = counter(&t, "\\\\S\\Q\\Bad");

	(void)state;
	mem_source_sample(t.m, SEC);
	mem_source_raw(t.m, n, 5, 0);
	mem_source_bad(t.m, bad, PMON_RAW_NO_INSTANCE);
	trial_judge(&t);
	assert_int_equal(t.n_findings, 0);
	assert_int_equal(outcome(&t, 0), RULES_NO_COUNTER);
	assert_int_equal(outcome(&t, 1), RULES_NO_UNIT);
	assert_int_equal(outcome(&t, 2), RULES_NO_REFERENCE);
	assert_int_equal(outcome(&t, 3), RULES_NO_COUNTER);
	assert_int_equal(outcome(&t, 4), RULES_NO_REFERENCE);
	assert_int_equal(outcome(&t, 5), RULES_NO_WHILE); // the value is within the limit
	assert_int_equal(outcome(&t, 6), RULES_NO_REFERENCE);
	assert_int_equal(outcome(&t, 7), RULES_NO_WHILE);
	trial_end(&t);
}

// Critical findings come first; then the order of the rules, then the larger share.
static void
order(void **state)
{
	struct trial t = trial_of("[A]\ncounter=\\Q(*)\\N\nwarning = > 1\n"
				  "[B]\ncounter=\\Q(*)\\N\ncritical = > 6\n");
	uint32_t a = counter(&t, "\\\\S\\Q(a)\\N");
	uint32_t b = counter(&t, "\\\\S\\Q(b)\\N");
	static const int64_t values_a[] = {0, 2, 0};
	static const int64_t values_b[] = {0, 2, 7};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		mem_source_sample(t.m, (pmon_time)(i + 1) * SEC);
		mem_source_raw(t.m, a, values_a[i], 0);
		mem_source_raw(t.m, b, values_b[i], 0);
	}
	trial_judge(&t);
	assert_int_equal(t.n_findings, 3);
	assert_int_equal(t.findings[0].level, RULES_CRITICAL);
	assert_int_equal(t.findings[1].series->id, b);
	assert_int_equal(t.findings[2].series->id, a);
	trial_end(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything),
		cmocka_unit_test(faults),
		cmocka_unit_test(bounds),
		cmocka_unit_test(how_long),
		cmocka_unit_test(each_limit_has_its_time),
		cmocka_unit_test(a_finding),
		cmocka_unit_test(at_the_limit),
		cmocka_unit_test(missing_values),
		cmocka_unit_test(shares_of_another),
		cmocka_unit_test(the_same_instance),
		cmocka_unit_test(per_processor),
		cmocka_unit_test(which_series),
		cmocka_unit_test(not_judged),
		cmocka_unit_test(order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
