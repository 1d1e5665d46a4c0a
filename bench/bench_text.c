// bench_text.c - what it costs to read and print numbers, by the best form and by the plain one
// SPDX-License-Identifier: MIT
//
//	bench_text [--json]
//
// Lines of 1,000 cells as text logs have them, which stay in the second-level cache.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/decimal.h"
#include "bench.h"
#include "simd/simd.h"

#define CELLS  1000
#define LINES  16
#define ROUNDS 200
#define BEST   7 // measurements, of which the fastest counts

struct text {
	char *ptr;
	size_t line[LINES + 1]; // where each begins
	double numbers[LINES][CELLS];
	char row[CELLS * PMON_ROW_CELL]; // one line printed
};

// ---- Cells ----------------------------------------------------------------------------------

static const struct {
	const char *name;
	const char *separator; // before each cell
	const char *form;
	const char *end;
} forms[] = {
	{"17 digits, quoted", ",\"", "%.17g", "\""},
	{"17 digits", ",", "%.17g", ""},
	{"six decimals, quoted", ",\"", "%.6f", "\""},
	{"integers, quoted", ",\"", "%.0f", "\""},
};
#define N_FORMS (sizeof(forms) / sizeof(forms[0]))

static void
make_text(struct text *text, size_t form)
{
	uint64_t state = 1;
	size_t at = 0;

	for (size_t i = 0; i < LINES; i++) {
		text->line[i] = at;
		at += (size_t)sprintf(text->ptr + at, "\"01/01/2024 00:00:04.002\"");
		for (size_t k = 0; k < CELLS; k++) {
			double number = (double)bench_random(&state) /
					(double)(1 + (bench_random(&state) >> k % 31));

			at += (size_t)sprintf(text->ptr + at, "%s", forms[form].separator);
			at += (size_t)sprintf(text->ptr + at, forms[form].form, number);
			at += (size_t)sprintf(text->ptr + at, "%s", forms[form].end);
		}
	}
	text->line[LINES] = at;
}

static void
read_text(struct text *text, const struct pmon_simd *simd)
{
	struct pmon_cells cells;

	for (size_t i = 0; i < LINES; i++) {
		pmon_cells_begin(&cells, simd,
				 (struct pmon_span){text->ptr + text->line[i],
						    text->line[i + 1] - text->line[i]},
				 ',', '.');
		cells.at = sizeof("\"01/01/2024 00:00:04.002\"");
		if (pmon_cells_read(&cells, text->numbers[i], CELLS) != CELLS)
			bench_fail("a cell is not a number");
	}
}

static double
measure_text(struct text *text, const struct pmon_simd *simd)
{
	double best = 1e9;

	for (int i = 0; i < BEST; i++) {
		double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
		double took;

		for (int k = 0; k < ROUNDS; k++)
			read_text(text, simd);
		took = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
		best = took < best ? took : best;
	}
	return best * 1e9 / ((double)ROUNDS * LINES * CELLS);
}

// The numbers that were read last.
static double
measure_print(struct text *text, const struct pmon_simd *simd)
{
	double best = 1e9;

	for (int i = 0; i < BEST; i++) {
		double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
		double took;

		for (int k = 0; k < ROUNDS * LINES; k++)
			if (pmon_row_print(simd, text->numbers[k % LINES], CELLS, ',',
					   PMON_DECIMAL_DIGITS, text->row) < CELLS)
				bench_fail("a number has no text");
		took = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
		best = took < best ? took : best;
	}
	return best * 1e9 / ((double)ROUNDS * LINES * CELLS);
}

// ---- Both -----------------------------------------------------------------------------------

static void
print_row(const char *name, double fast, double plain, bool json, bool last)
{
	if (json)
		printf("    {\"job\": \"%s\", \"ns\": %.2f, \"plain_ns\": %.2f}%s\n", name, fast,
		       plain, last ? "" : ",");
	else
		printf("%-40s %8.2f %8.2f %8.1f x\n", name, fast, plain, plain / fast);
}

int
main(int argc, char **argv)
{
	bool json = argc == 2 && strcmp(argv[1], "--json") == 0;
	struct text *text = malloc(sizeof(*text));

	if (argc > 1 && !json)
		bench_fail("usage: bench_text [--json]");
	if (text == NULL || (text->ptr = malloc((size_t)LINES * (CELLS + 1) * 40)) == NULL)
		bench_fail("not enough memory");
	if (json)
		printf("{\n  \"version\": 2,\n  \"form\": \"%s\",\n  \"jobs\": [\n",
		       pmon_simd_name(pmon_simd_best()));
	else
		printf("%-40s %8s %8s\n", "ns a number", pmon_simd_name(pmon_simd_best()), "plain");
	for (size_t i = 0; i < N_FORMS; i++) {
		make_text(text, i);
		print_row(forms[i].name, measure_text(text, pmon_simd_best()),
			  measure_text(text, pmon_simd_at(0)), json, false);
		if (i == 0 || i + 1 == N_FORMS)
			print_row("... printed", measure_print(text, pmon_simd_best()),
				  measure_print(text, pmon_simd_at(0)), json, i + 1 == N_FORMS);
	}
	if (json)
		printf("  ]\n}\n");
	free(text->ptr);
	free(text);
	return 0;
}
