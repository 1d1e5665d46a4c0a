// memory.c - bytes a second of reading memory: memory [PASSES]
//
// A line a pass: of the sum that reads as fast as it can, and of the plain sum (yardstick.h).
// SPDX-License-Identifier: MIT

#include <stdio.h>

#include "yardstick.h"

int
main(int argc, char **argv)
{
	unsigned long passes = argc > 1 ? strtoul(argv[1], NULL, 10) : 5;
	uint64_t *words = yardstick_new();

	if (words == NULL) {
		fprintf(stderr, "memory: not enough memory\n");
		return 1;
	}
	for (unsigned long i = 0; i < passes; i++)
		printf("%.0f %.0f\n", yardstick_pass(words), yardstick_plain_pass(words));
	free(words);
	return 0;
}
