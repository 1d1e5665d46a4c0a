// tidy.c - one row for each raw value, for SQL and other programs that compute
// SPDX-License-Identifier: MIT

#include "verbs/values/values.h"

#include "query/tidy.h"
#include "shell/input/progress.h"
#include "shell/output/say.h"
#include "shell/output/screen.h"

static void
put_cell(struct out *out, const struct pmon_tidy_cell *cell)
{
	switch (cell->kind) {
	case PMON_TIDY_TEXT:
	case PMON_TIDY_WORD:
		out_text(out, cell->text);
		return;
	case PMON_TIDY_INTEGER:
		out_i64(out, cell->integer);
		return;
	case PMON_TIDY_REAL:
		out_double(out, cell->real);
		return;
	default:
		out_null(out);
	}
}

static int
put_sample(struct out *out, struct pmon_tidy *tidy, const struct pmon_sample *sample)
{
	struct pmon_tidy_cell cell;
	struct pmon_tidy_row row;
	struct pmon_err err;

	if (pmon_tidy_add(tidy, sample, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	for (size_t i = 0; i < sample->n; i++) {
		if (!pmon_tidy_next(tidy, sample, i, &row))
			return say(EXIT_FAILED, "not enough memory");
		for (unsigned column = 0; column < PMON_TIDY_COLUMNS && !sample->preceding;
		     column++) {
			if (!pmon_tidy_cell(tidy, &row, (enum pmon_tidy_column)column, &cell))
				return say(EXIT_FAILED, "not enough memory");
			put_cell(out, &cell);
		}
	}
	return EXIT_DONE;
}

static int
put_samples(struct logs *logs, struct out *out, struct pmon_tidy *tidy)
{
	const struct pmon_sample *sample;
	int status = EXIT_DONE;

	while (status == EXIT_DONE && logs_next(logs, &sample, &status))
		status = put_sample(out, tidy, sample);
	if (out_end(out) != EXIT_DONE)
		return EXIT_FAILED;
	if (status == EXIT_DONE)
		status = logs_check_patterns(logs);
	if (status == EXIT_DONE)
		logs_say_one_sample(logs, tidy->statistics);
	return status;
}

int
values_print_tidy(struct logs *logs, enum out_format format)
{
	struct out_column columns[PMON_TIDY_COLUMNS];
	struct pmon_tidy tidy;
	struct pmon_err err;
	struct out out;
	int status;

	for (unsigned i = 0; i < PMON_TIDY_COLUMNS; i++)
		columns[i] = (struct out_column){.name = pmon_tidy_name((enum pmon_tidy_column)i)};
	if (pmon_tidy_begin(&tidy, pmon_source_schema(logs->source), logs->identity.step,
			    &logs->request.calc, NULL, &err) != PMON_OK) {
		pmon_tidy_free(&tidy);
		return say(EXIT_FAILED, "%s", err.msg);
	}
	if (screen_is_there())
		progress_never();
	out_begin(&out, stdout, format, NULL, columns, PMON_TIDY_COLUMNS, &logs->clock);
	status = put_samples(logs, &out, &tidy);
	pmon_tidy_free(&tidy);
	return status;
}
