// forms.h - shared by the files of src/simd
// SPDX-License-Identifier: MIT

#ifndef PMON_SIMD_FORMS_H
#define PMON_SIMD_FORMS_H

#include "base/bits.h"
#include "simd/simd.h"

// The steps that a version implements itself; NULL for others.
struct pmon_simd {
	const char *name;
	bool (*is_here)(void); // does this processor support it?
	// Find the cells from `at` on, as many as fit, and read the wanted ones: cells->read, where
	// bit 0 is the first of them. At least 32 bytes of the line precede them.
	void (*read_ahead)(struct pmon_cells *cells);
	// Like pmon_row_print(), with PMON_DECIMAL_DIGITS digits.
	size_t (*print)(const double *numbers, size_t n, char separator, char *out);
};

#define PMON_CELLS_LOOK 32 // bytes before the end of a cell that are read

// pmon_cells_read() for any processor. Defined in plain.c.
size_t pmon_plain_read(struct pmon_cells *cells, double *out, size_t n);

// Skip up to n cells from `at` on, whatever they contain, except the last of the line. Returns how
// many: it stops at quotes that do not enclose a cell.
size_t pmon_plain_pass(struct pmon_cells *cells, size_t n);

// Print one cell, like pmon_row_print().
size_t pmon_row_print_one(double number, char separator, int digits, char *out);

// AVX-512 as supported by Intel's Ice Lake and AMD's Zen 4. Functions marked PMON_AVX512 are
// compiled for it.
#if defined(__GNUC__) && defined(__x86_64__) && !defined(PMON_ISA_PLAIN)
#define PMON_HAVE_AVX512 1
#define PMON_AVX512                                                                                \
	__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512ifma,avx512vbmi," \
			      "avx512vbmi2,bmi,bmi2,lzcnt,popcnt")))
// A step that is inlined into such a function.
#define PMON_AVX512_STEP PMON_AVX512 static inline __attribute__((always_inline))

bool pmon_avx512_is_here(void);
void pmon_avx512_read_ahead(struct pmon_cells *cells);
size_t pmon_avx512_print(const double *numbers, size_t n, char separator, char *out);
#endif

#endif
