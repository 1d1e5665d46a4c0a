// choose.c - list the versions, and choose one that this processor supports
// SPDX-License-Identifier: MIT

#include "simd/forms.h"

// The plain version first, then from slow to fast.
static const struct pmon_simd forms[] = {
	{.name = "plain"},
#ifdef PMON_HAVE_AVX512
	{"avx512", pmon_avx512_is_here, pmon_avx512_read_ahead, pmon_avx512_print},
#endif
};
#define N_FORMS (sizeof(forms) / sizeof(forms[0]))

const struct pmon_simd *
pmon_simd_at(size_t i)
{
	for (size_t k = 0; k < N_FORMS; k++)
		if ((forms[k].is_here == NULL || forms[k].is_here()) && i-- == 0)
			return &forms[k];
	return NULL;
}

const struct pmon_simd *
pmon_simd_best(void)
{
	size_t k = N_FORMS - 1;

	while (forms[k].is_here != NULL && !forms[k].is_here())
		k--;
	return &forms[k];
}

const char *
pmon_simd_name(const struct pmon_simd *simd)
{
	return simd->name;
}
