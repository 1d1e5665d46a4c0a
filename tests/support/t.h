// t.h - helpers for all unit tests: cmocka, comparisons of spans, shared data, a failing allocator
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_T_H
#define PMON_TESTS_T_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// cmocka requires the five headers above first.
#include <cmocka.h>

#include <pmon/base.h>

#define T_LEN(array) (sizeof(array) / sizeof((array)[0]))

// ---- Comparisons ----------------------------------------------------------------------------
//
// Each fails the test with both values and the location. `label` identifies the row of a table; the
// forms without a label are for tests without tables.

// Compare a span with a C string; NULL expects an absent span {NULL, 0}, "" a present but empty
// one.
#define T_EQ_SPAN(span, want)           t_eq_span((span), (want), "", __FILE__, __LINE__)
#define T_EQ_SPAN_AT(span, want, label) t_eq_span((span), (want), (label), __FILE__, __LINE__)
#define T_EQ_STR(got, want)             t_eq_str((got), (want), "", __FILE__, __LINE__)
#define T_EQ_STR_AT(got, want, label)   t_eq_str((got), (want), (label), __FILE__, __LINE__)
#define T_EQ_I64(got, want)             t_eq_i64((got), (want), "", __FILE__, __LINE__)
#define T_EQ_I64_AT(got, want, label)   t_eq_i64((got), (want), (label), __FILE__, __LINE__)
#define T_EQ_U64(got, want)             t_eq_u64((got), (want), "", __FILE__, __LINE__)
#define T_EQ_U64_AT(got, want, label)   t_eq_u64((got), (want), (label), __FILE__, __LINE__)
#define T_EQ_BOOL_AT(got, want, label)  t_eq_i64((got), (want), (label), __FILE__, __LINE__)
// The same double bit for bit, except for the sign of zero and the payload of NaN.
#define T_EQ_DBL(got, want)           t_eq_dbl((got), (want), "", __FILE__, __LINE__)
#define T_EQ_DBL_AT(got, want, label) t_eq_dbl((got), (want), (label), __FILE__, __LINE__)

void t_eq_span(struct pmon_span got, const char *want, const char *label, const char *file,
	       int line);
void t_eq_str(const char *got, const char *want, const char *label, const char *file, int line);
void t_eq_i64(int64_t got, int64_t want, const char *label, const char *file, int line);
void t_eq_u64(uint64_t got, uint64_t want, const char *label, const char *file, int line);
void t_eq_dbl(double got, double want, const char *label, const char *file, int line);

// A C string as a span.
static inline struct pmon_span
t_span(const char *s)
{
	return (struct pmon_span){s, s != NULL ? strlen(s) : 0};
}

// ---- Shared data ----------------------------------------------------------------------------

// The path of a file of the data that is not in the repository: "vectors/path_vectors.csv" in the
// folder that the environment variable PMON_TEST_DATA names. NULL, with a message, when it is not
// there; the test then calls skip() or continues without. The buffer is overwritten by the next call.
const char *t_data_path(const char *name);

// Read a whole file, NUL-terminated; release it with free(). NULL if it cannot be read.
char *t_read_file(const char *path, size_t *len_out);

// Write a file with these bytes, replacing an existing one.
void t_write_file(const char *path, const void *bytes, size_t len);
void t_write_text(const char *path, const char *text);

// Call the function with each of these files from the shared data; skips the test if none is
// available.
typedef void (*t_data_fn)(const char *bytes, size_t len, const char *name);
void t_each_data(const char *const *names, size_t n, t_data_fn check);

// Rows of a comma-separated file with quoted fields ("" is a quote) and a header:
//
//	struct t_csv csv;
//
//	t_csv_open_data(&csv, "vectors/path_vectors.csv");
//	while (t_csv_next(&csv))
//		use(t_csv_get(&csv, "path"));
//	t_csv_close(&csv);
#define T_CSV_FIELDS 64
struct t_csv {
	char *text;
	char separator;
	char *next; // the position of the next row
	size_t row; // the row number; the first after the header is 1
	size_t n_names;
	size_t n;
	char *name[T_CSV_FIELDS];
	char *field[T_CSV_FIELDS];
};

// Open a file from the shared data; skips the test if it is not available.
void t_csv_open_data(struct t_csv *csv, const char *name);
// Open a file of the tree, or of share/vectors; it is tab-separated unless its name ends with .csv. Fails if it
// is missing. The tree is PMON_SOURCE_DIR, or the current folder.
void t_csv_open_source(struct t_csv *csv, const char *name);
void t_csv_open_vectors(struct t_csv *csv, const char *name);
bool t_csv_next(struct t_csv *csv);
// The field of the column of this name; "" when the row is too short. Fails on an unknown name.
const char *t_csv_get(const struct t_csv *csv, const char *name);
void t_csv_close(struct t_csv *csv);

// ---- Numbers that look random and are the same in every run -----------------------------------

struct t_rand {
	uint64_t state;
};

uint64_t t_rand_u64(struct t_rand *r);
size_t t_rand_below(struct t_rand *r, size_t n); // 0..n-1; n > 0

// How many random things to try: what the environment variable says, or as many as usual.
size_t t_runs(const char *variable, size_t usual);

// ---- An allocator that counts and can be short of memory --------------------------------------

// {0} to begin with. The allocator checks that sizes given back are those that were asked for.
struct t_memory {
	size_t live_blocks;
	size_t live_bytes;
	size_t calls;   // to alloc and realloc
	size_t fail_at; // the number of the call, from 1, that gets NULL; 0 for none
	bool fail_rest; // and so do all later ones
};

struct pmon_allocator t_memory_allocator(struct t_memory *memory);

// Was there memory for all that was asked, fail_at being beyond it? A loop in which each allocation
// fails in turn ends there. The test fails when this allocator was not asked at all.
bool t_memory_sufficed(const struct t_memory *memory);

#endif
