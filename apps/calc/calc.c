// calc.c - pmon calc: values and average of raw values given by hand
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <string.h>

#include "base/text.h"
#include "cli/args/args.h"
#include "cli/args/raws.h"
#include "cli/output/explain_text.h"
#include "cli/output/say.h"
#include "text/explain.h"

struct sums {
	struct pmon_calc calc;
	struct pmon_stats stats;
	struct pmon_raw older; // of the newest pair
	struct pmon_raw newer;
};

static int
add(struct sums *s, const char *text, struct pmon_value *value)
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
		status = add(s, args->operands.list[i], &value);
		if (status != EXIT_DONE)
			break;
		printf("%-28s ", args->operands.list[i]);
		put_number(s, &value);
		putchar('\n');
		if (args_flag(args, "--explain")) {
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
	if (args_flag(args, "--explain")) {
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
		status = add(s, args->operands.list[i], &value);
		json_open(&json, '{');
		json_key(&json, "value"), json_value(&json, &value);
		json_key(&json, "status"), json_str(&json, pmon_vstat_name(value.status));
		if (args_flag(args, "--explain")) {
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
	if (args_flag(args, "--explain")) {
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
	static const struct clock utc = {CLOCK_FIXED, 0};
	struct pmon_value value;
	struct out out;
	int status = EXIT_DONE;

	out_begin(&out, stdout, OUT_CSV, NULL, columns, 2, &utc);
	for (size_t i = 0; status == EXIT_DONE && i < args->operands.n; i++) {
		status = add(s, args->operands.list[i], &value);
		out_value(&out, s->calc.type, &value);
		out_str(&out, pmon_vstat_name(value.status));
	}
	return out_end(&out) == EXIT_DONE ? status : EXIT_FAILED;
}

int
calc_run(const struct args *args)
{
	struct pmon_counter counter;
	struct pmon_raw raw;
	struct sums s;
	int status = raws_counter(args, &counter);

	// All raw values are read before anything is printed.
	for (size_t i = 0; status == EXIT_DONE && i < args->operands.n; i++)
		status = raws_parse(args->operands.list[i], &counter, &raw);
	if (status == EXIT_DONE && args->operands.n == 0)
		status = say(EXIT_USAGE,
			     "calc: give raw values as FIRST:SECOND[:MULTI], oldest first");
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
