// wide.h - vector instructions that only some processors have
// SPDX-License-Identifier: MIT
//
// Functions marked PMON_WIDE are compiled for AVX-512 as Intel's Ice Lake and AMD's Zen 4 have it, and
// are called only where pmon_wide_is_there(). Each has a plain function beside it that does the
// same.

#ifndef PMON_BASE_WIDE_H
#define PMON_BASE_WIDE_H

#include <stdbool.h>

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define PMON_HAVE_WIDE 1
#define PMON_WIDE                                                                                  \
	__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512ifma,avx512vbmi," \
			      "avx512vbmi2,bmi,bmi2,lzcnt,popcnt")))
// A step of such a function, which is compiled into it.
#define PMON_WIDE_STEP PMON_WIDE static inline __attribute__((always_inline))
#endif

bool pmon_wide_is_there(void);

#endif
