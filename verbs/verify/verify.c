// verify.c - pmon verify: do two logs have the same contents?
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "core/calc.h"
#include "query/clocks.h"
#include "query/digest.h"
#include "query/display.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/logs.h"
#include "shell/output/out.h"
#include "shell/output/say.h"

static const struct out_column columns[] = {
	{"first_values", "First", 0, OUT_RIGHT},
	{"second_values", "Second", 0, OUT_RIGHT},
	{"difference", "Difference", 0, OUT_LEFT},
	{"path", "Counter", 0, OUT_LEFT},
};

#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))

// One of the two logs.
struct side {
	struct request request;
	struct logs logs;
	struct pmon_values values;
	struct pmon_digest raw;
	struct pmon_digest shown;
	struct pmon_digest stepped; // raw values before which the system clock was set
	struct pmon_digest changed; // raw values of another process than before
	struct pmon_clocks clocks;
	struct pmon_raw *copy; // of the raw values of a sample
	size_t copy_cap;
};

struct verify {
	const struct args *args;
	struct side sides[2];
	struct out out;
	size_t n; // differences
	bool samples_differ;
};

// ---- Reading --------------------------------------------------------------------------------

// The log says so itself, or its clocks do.
static bool
is_stepped(const struct side *side, const struct pmon_sample *sample, size_t i)
{
	return sample->raw[i].status == PMON_RAW_STEPPED ||
	       pmon_clocks_stepped(&side->clocks, sample->series[i]);
}

static bool
is_changed(const struct side *side, const struct pmon_sample *sample, size_t i)
{
	(void)side;
	return sample->raw[i].status == PMON_RAW_CHANGED;
}

static bool
add_marked(struct side *side, const struct pmon_sample *sample, struct pmon_digest *digest,
	   bool is_marked(const struct side *, const struct pmon_sample *, size_t))
{
	struct pmon_sample marked = *sample;
	size_t n = 0;

	for (size_t i = 0; i < sample->n; i++)
		n += is_marked(side, sample, i);
	if (n == 0)
		return true;
	for (size_t i = 0; i < sample->n; i++) {
		side->copy[i] = sample->raw[i];
		side->copy[i].status =
			is_marked(side, sample, i) ? PMON_RAW_VALID : PMON_RAW_INVALID;
	}
	marked.raw = side->copy;
	return pmon_digest_add(digest, &marked, NULL);
}

// Displayed values are those that Windows' tools compute, as in text logs.
static bool
add_plain(struct side *side, const struct pmon_sample *sample)
{
	struct pmon_sample plain = *sample;
	const struct pmon_value *values;

	for (size_t i = 0; i < sample->n; i++) {
		side->copy[i] = sample->raw[i];
		side->copy[i].status = pmon_raw_unmarked(sample->raw[i].status);
	}
	plain.raw = side->copy;
	return pmon_values_add(&side->values, &plain, &values, NULL) == PMON_OK &&
	       pmon_digest_add(&side->raw, &plain, values) &&
	       pmon_digest_add(&side->shown, &plain, values);
}

static int
add_sample(struct side *side, const struct pmon_sample *sample)
{
	if (!pmon_mem_grow(pmon_mem_allocator(NULL), &side->copy, &side->copy_cap, sample->n,
			   sizeof(*side->copy)) ||
	    !pmon_clocks_see(&side->clocks, sample) ||
	    !add_marked(side, sample, &side->stepped, is_stepped) ||
	    !add_marked(side, sample, &side->changed, is_changed) || !add_plain(side, sample))
		return say(EXIT_FAILED, "not enough memory");
	return EXIT_DONE;
}

static int
read_side(struct side *side)
{
	const struct pmon_sample *sample;
	const struct pmon_schema *schema;
	int status = logs_open(&side->logs, &side->request);

	if (status != EXIT_DONE)
		return status;
	schema = pmon_source_schema(side->logs.source);
	pmon_values_init(&side->values, schema, &side->request.calc, NULL);
	pmon_digest_init(&side->raw, PMON_DIGEST_RAW, schema, NULL);
	pmon_digest_init(&side->shown, PMON_DIGEST_SHOWN, schema, NULL);
	pmon_digest_init(&side->stepped, PMON_DIGEST_RAW, schema, NULL);
	pmon_digest_init(&side->changed, PMON_DIGEST_RAW, schema, NULL);
	pmon_clocks_init(&side->clocks, pmon_mem_allocator(NULL), schema);
	while (status == EXIT_DONE && logs_next(&side->logs, &sample, &status))
		status = add_sample(side, sample);
	return status == EXIT_DONE ? logs_check_patterns(&side->logs) : status;
}

static bool
has_formatted(const struct side *side)
{
	const struct pmon_schema *schema = pmon_source_schema(side->logs.source);

	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		if (pmon_schema_at(schema, i)->formatted)
			return true;
	return false;
}

// ---- Comparing ------------------------------------------------------------------------------

static void
begin_table(struct verify *v)
{
	out_begin(&v->out, stdout, v->args->format, "differences", columns, N_COLUMNS,
		  &v->sides[0].logs.clock);
}

// All differences are counted, also those beyond --limit.
static void
put_row(struct verify *v, const struct pmon_difference *difference, const char *what)
{
	if (v->n++ == 0)
		begin_table(v);
	if (args_rows(v->args, v->n) < v->n)
		return;
	out_u64(&v->out, difference->n[0]);
	out_u64(&v->out, difference->n[1]);
	out_str(&v->out, what);
	out_text(&v->out, difference->path);
}

static void
put_difference(void *ctx, const struct pmon_difference *difference)
{
	struct verify *v = ctx;
	const char *what = "other values";

	v->samples_differ = difference->path.ptr == NULL; // the samples are compared last
	if (v->samples_differ && difference->n[0] == difference->n[1])
		what = "samples of other times";
	else if (v->samples_differ)
		what = "another number of samples";
	else if (difference->n[1] == 0)
		what = "in the first log only";
	else if (difference->n[0] == 0)
		what = "in the second log only";
	else if (difference->n[0] != difference->n[1])
		what = "different number of values";
	put_row(v, difference, what);
}

static void
put_marked(struct verify *v, const struct pmon_difference *difference, const char *what)
{
	if (difference->path.ptr != NULL)
		put_row(v, difference, what);
}

static void
put_stepped(void *ctx, const struct pmon_difference *difference)
{
	put_marked(ctx, difference, "values after the clock was set");
}

static void
put_changed(void *ctx, const struct pmon_difference *difference)
{
	put_marked(ctx, difference, "values of another process than before");
}

// Programs always get a table.
static int
end_table(struct verify *v)
{
	if (v->n == 0 && v->args->format == OUT_TEXT)
		return EXIT_DONE;
	if (v->n == 0)
		begin_table(v);
	return out_end(&v->out);
}

// If one of the logs has only displayed values, compare those.
static int
compare(struct verify *v)
{
	struct side *a = &v->sides[0];
	struct side *b = &v->sides[1];
	bool shown = has_formatted(a) || has_formatted(b);
	const struct pmon_digest *first = shown ? &a->shown : &a->raw;
	const struct pmon_digest *second = shown ? &b->shown : &b->raw;
	struct pmon_err err;
	size_t counters;
	int status = EXIT_DONE;

	if (pmon_digest_compare(first, second, put_difference, v, &err) != PMON_OK)
		status = say(EXIT_FAILED, "%s", err.msg);
	if (status == EXIT_DONE && !shown && v->n == 0 &&
	    (pmon_digest_compare(&a->stepped, &b->stepped, put_stepped, v, &err) != PMON_OK ||
	     pmon_digest_compare(&a->changed, &b->changed, put_changed, v, &err) != PMON_OK))
		status = say(EXIT_FAILED, "%s", err.msg);
	if (status == EXIT_DONE)
		status = end_table(v);
	if (status != EXIT_DONE)
		return status;
	counters = v->n - v->samples_differ;
	if (v->n == 1 && v->samples_differ)
		return say(EXIT_FAILED, "the logs differ in their samples");
	if (v->n > 0)
		return say(EXIT_FAILED, "the logs differ in %zu counter%s", counters,
			   pmon_text_word(counters, "", "s"));
	return say(EXIT_DONE, "the logs have the same %llu %s values",
		   (unsigned long long)first->values, shown ? "displayed" : "raw");
}

static int
close_side(struct side *side, int status)
{
	pmon_values_free(&side->values);
	pmon_digest_free(&side->raw);
	pmon_digest_free(&side->shown);
	pmon_digest_free(&side->stepped);
	pmon_digest_free(&side->changed);
	pmon_clocks_free(&side->clocks);
	pmon_mem_free(pmon_mem_allocator(NULL), side->copy, side->copy_cap * sizeof(*side->copy));
	return logs_close(&side->logs, status);
}

static int
verify_run(const struct args *args)
{
	struct verify v = {.args = args};
	int status = EXIT_DONE;
	int opened = 0;

	if (args->operands.n != 2)
		return say(
			EXIT_USAGE,
			"verify: two logs are required, as in pmon verify server.blg server.csv");
	for (; opened < 2 && status == EXIT_DONE; opened++) {
		struct side *side = &v.sides[opened];

		side->request = request_of_log(args, &args->operands.list[opened]);
		side->request.tells_processes = side->request.no_starts = true;
		status = read_side(side);
	}
	if (status == EXIT_DONE)
		status = compare(&v);
	while (opened-- > 0)
		status = close_side(&v.sides[opened], status);
	return status;
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_window),
	GROUP(options_limit),
	GROUP(options_format),
	GROUP(options_policy),
	GROUP(options_read),
	GROUP(options_color),
	GROUP(options_pager),
	GROUP(options_raw_names),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_verify = {
	.name = "verify",
	.operands = "FIRST SECOND",
	.summary = "check that two logs have the same samples, counters and values",
	.details =
		"Compares the samples, and the usable raw values of each counter in them.\n"
		"If one of the logs has only displayed values, such as a CSV log, it compares the\n"
		"displayed values of both, with times rounded to milliseconds. If raw values are\n"
		"equal, it also compares before which of them the system clock was set, and\n"
		"which are of another process than the value before. It prints a line for each\n"
		"path that differs, and one if the samples do. The exit\n"
		"status is 0 if there are no differences, and 1 otherwise.\n\nExamples:\n"
		"  pmon verify server.blg server.db\n"
		"  pmon verify -c '\\Memory\\*' server.blg server.csv\n",
	.options = options,
	.run = verify_run,
	.series_bytes = 4096, // for both logs
};
