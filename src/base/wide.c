// wide.c - vector instructions that only some processors have
// SPDX-License-Identifier: MIT

#include "base/wide.h"

bool
pmon_wide_is_there(void)
{
#ifdef PMON_HAVE_WIDE
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512ifma") &&
	       __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
	       __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
	       __builtin_cpu_supports("popcnt");
#else
	return false;
#endif
}
