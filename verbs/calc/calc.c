// calc.c - pmon calc: values and averages of raw values from the command line
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/text.h"
#include "shell/args/args.h"
#include "shell/args/groups.h"
#include "shell/args/raws.h"
#include "shell/args/verb.h"
#include "shell/output/explain_json.h"
#include "shell/output/explain_text.h"
#include "shell/output/say.h"

// Options of pmon calc only.
struct calc_options {
	bool explain;
};

struct sums {
	struct pmon_calc calc;
	struct pmon_stats stats;
	struct pmon_raw older; // of the newest pair
	struct pmon_raw newer;
};

static int
add_raw(struct sums *s, const char *text, struct pmon_value *value)
{
	int status;

	s->older = s->newer;
	status = raws_parse(text, &s->calc.counter, &s->newer);
	if (status == EXIT_DONE)
		*value = pmon_stats_add(&s->stats, &s->newer);
	return status;
}

static void
put_unit(const struct sums *s)
{
	const char *unit = s->calc.type != NULL ? s->calc.type->unit : "";

	if (unit[0] != '\0')
		printf(" %s", unit);
}

static void
put_number(const struct sums *s, const struct pmon_value *value)
{
	char buf[48];

	if (!pmon_vstat_has_value(value->status)) {
		printf("-  (%s)", pmon_vstat_name(value->status));
		return;
	}
	out_number_of(s->calc.type, value->value, buf, sizeof(buf));
	fputs(buf, stdout);
	put_unit(s);
	if (value->status != PMON_V_OK)
		printf("  (%s)", pmon_vstat_name(value->status));
}

static void
put_line(const struct sums *s, const char *name, const struct pmon_value *value)
{
	printf("%-8s ", name);
	put_number(s, value);
	putchar('\n');
}

static int
print_text(const struct args *args, struct sums *s)
{
	struct pmon_explanation why;
	struct pmon_value value;
	int status = EXIT_DONE;

	for (size_t i = 0; status == EXIT_DONE && i < args->operands.n; i++) {
		status = add_raw(s, args->operands.list[i], &value);
		if (status != EXIT_DONE)
			break;
		printf("%-28s ", args->operands.list[i]);
		put_number(s, &value);
		putchar('\n');
		if (OWN_OPTIONS(calc, args)->explain) {
			pmon_explain_value(&s->calc, i > 0 ? &s->older : NULL, &s->newer, &why);
			explain_print(stdout, NULL, &why);
			putchar('\n');
		}
	}
	if (status != EXIT_DONE)
		return status;
	value = pmon_stats_average(&s->stats);
	putchar('\n');
	put_line(s, "last", &s->stats.last);
	put_line(s, "average", &value);
	put_line(s, "minimum", &s->stats.minimum);
	put_line(s, "maximum", &s->stats.maximum);
	if (OWN_OPTIONS(calc, args)->explain) {
		putchar('\n');
		pmon_explain_average(&s->stats, &why);
		explain_print(stdout, "Average", &why);
	}
	return EXIT_DONE;
}

static int
print_json(const struct args *args, struct sums *s)
{
	struct json json = {.stream = stdout};
	struct pmon_explanation why;
	struct pmon_value value;
	int status = EXIT_DONE;

	json_open(&json, '{');
	json_key(&json, "type"), json_type(&json, s->calc.counter.type);
	json_key(&json, "unit"), json_str(&json, s->calc.type != NULL ? s->calc.type->unit : "");
	json_key(&json, "values"), json_open(&json, '[');
	for (size_t i = 0; status == EXIT_DONE && i < args->operands.n; i++) {
		status = add_raw(s, args->operands.list[i], &value);
		json_open(&json, '{');
		json_key(&json, "value"), json_value(&json, &value);
		json_key(&json, "status"), json_str(&json, pmon_vstat_name(value.status));
		if (OWN_OPTIONS(calc, args)->explain) {
			pmon_explain_value(&s->calc, i > 0 ? &s->older : NULL, &s->newer, &why);
			json_key(&json, "explanation"), explain_json(&json, &why);
		}
		json_close(&json, '}');
	}
	json_close(&json, ']');
	value = pmon_stats_average(&s->stats);
	json_key(&json, "average"), json_value(&json, &value);
	json_key(&json, "minimum"), json_value(&json, &s->stats.minimum);
	json_key(&json, "maximum"), json_value(&json, &s->stats.maximum);
	json_key(&json, "last"), json_value(&json, &s->stats.last);
	if (OWN_OPTIONS(calc, args)->explain) {
		pmon_explain_average(&s->stats, &why);
		json_key(&json, "explanation"), explain_json(&json, &why);
	}
	json_close(&json, '}');
	putchar('\n');
	return status;
}

static int
print_csv(const struct args *args, struct sums *s)
{
	static const struct out_column columns[] = {{"value", NULL, 0, OUT_RIGHT},
						    {"status", NULL, 0, OUT_LEFT}};
	static const struct clock utc = {.mode = CLOCK_FIXED};
	struct pmon_value value;
	struct out out;
	int status = EXIT_DONE;

	out_begin(&out, stdout, OUT_CSV, NULL, columns, 2, &utc);
	for (size_t i = 0; status == EXIT_DONE && i < args->operands.n; i++) {
		status = add_raw(s, args->operands.list[i], &value);
		out_value(&out, s->calc.type, &value);
		out_str(&out, pmon_vstat_name(value.status));
	}
	return out_end(&out) == EXIT_DONE ? status : EXIT_FAILED;
}

static int
calc_run(const struct args *args)
{
	struct pmon_counter counter;
	struct pmon_raw raw;
	struct sums s;
	int status = raws_counter(args, &counter);

	// All raw values are parsed before anything is printed.
	for (size_t i = 0; status == EXIT_DONE && i < args->operands.n; i++)
		status = raws_parse(args->operands.list[i], &counter, &raw);
	if (status == EXIT_DONE && args->operands.n == 0)
		status = say(EXIT_USAGE, "calc: no raw values given; write them as "
					 "FIRST:SECOND[:MULTI], oldest first");
	if (status != EXIT_DONE)
		return status;
	memset(&s, 0, sizeof(s));
	pmon_calc_init(&s.calc, &counter, &args->calc);
	pmon_stats_init(&s.stats, &s.calc);
	if (args->format == OUT_JSON)
		return print_json(args, &s);
	if (args->format == OUT_CSV)
		return print_csv(args, &s);
	return print_text(args, &s);
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_format),
	GROUP(options_digits),
	GROUP(options_calc),
	GROUP(options_counter_type),
	OPTION(FLAG, calc, explain, "--explain", NULL, NULL,
	       "show the arithmetic of each value and the average"),
	GROUP(options_color),
	OPTION_END,
};

const struct verb verb_calc = {
	.name = "calc",
	.operands = "-t TYPE [-F TICKS] FIRST:SECOND[:MULTI]...",
	.summary = "compute values and the average from raw values on the command line",
	.details = "FIRST is the counter's raw value, SECOND its clock or base, and MULTI the\n"
		   "number of units of a MULTI type. Write them in decimal or 0x hexadecimal, the\n"
		   "oldest sample first.\n\n"
		   "Examples:\n"
		   "  pmon calc -t PERF_AVERAGE_TIMER -F 14318180 0:0 2147727:1 2147727:1\n"
		   "  pmon calc -t 0x10410400 -F 1 0xFFFFFF80:0 0xC0:1 --explain\n",
	.options = options,
	.own_size = sizeof(struct calc_options),
	.run = calc_run,
};
