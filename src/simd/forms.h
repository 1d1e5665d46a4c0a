// forms.h - what the files of src/simd share
// SPDX-License-Identifier: MIT

#ifndef PMON_SIMD_FORMS_H
#define PMON_SIMD_FORMS_H

#include "base/bits.h"
#include "simd/simd.h"

// The steps that a form does in its own way; NULL where it has none.
struct pmon_simd {
	const char *name;
	bool (*is_here)(void); // does this processor have the instructions?
	// Find the cells from `at` on, as many as fit, and read those of them that are to be read: cells->read, where
	// bit 0 is the first of them. There are 32 bytes of the line before them.
	void (*read_ahead)(struct pmon_cells *cells);
	// As pmon_row_print(), with PMON_DECIMAL_DIGITS digits.
	size_t (*print)(const double *numbers, size_t n, char separator, char *out);
};

#define PMON_CELLS_LOOK 32 // bytes before the end of a cell that a form looks at

// pmon_cells_read() by any processor. plain.c
size_t pmon_plain_read(struct pmon_cells *cells, double *out, size_t n);

// Pass up to n cells from `at` on, whatever they hold, but not the last of the line. Returns how many: where the quotes
// are not as around a number, it stops.
size_t pmon_plain_pass(struct pmon_cells *cells, size_t n);

// One cell, as pmon_row_print() has it.
size_t pmon_row_print_one(double number, char separator, int digits, char *out);

// AVX-512 as Intel's Ice Lake and AMD's Zen 4 have it. Functions marked PMON_AVX512 are compiled for it.
#if defined(__GNUC__) && defined(__x86_64__) && !defined(PMON_ISA_PLAIN)
#define PMON_HAVE_AVX512 1
#define PMON_AVX512                                                                                \
	__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512ifma,avx512vbmi," \
			      "avx512vbmi2,bmi,bmi2,lzcnt,popcnt")))
// A step of such a function, which is compiled into it.
#define PMON_AVX512_STEP PMON_AVX512 static inline __attribute__((always_inline))

bool pmon_avx512_is_here(void);
void pmon_avx512_read_ahead(struct pmon_cells *cells);
size_t pmon_avx512_print(const double *numbers, size_t n, char separator, char *out);
#endif

#endif
