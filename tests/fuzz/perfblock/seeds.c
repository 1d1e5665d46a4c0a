// seeds.c - write the seed files of corpus/
// SPDX-License-Identifier: MIT
//
// Linked with tests/support/{perfblock_build,t}.c, cmocka and the library:
//
//	./seeds tests/fuzz/perfblock/corpus

#include "t.h"

#include <stdlib.h>

#include "perfblock_build.h"

#define T0 INT64_C(132223104000000000)

static const struct pb_counter counters[] = {
	{206, 0x30020400, 8, 0}, // AVERAGE_TIMER
	{206, 0x40030402, 4, 0}, // AVERAGE_BASE
	{28, 0x10410400, 4, 0},  // COUNTER
	{10, 0x22410500, 8, 0},  // MULTI_TIMER
	{12, 0x42030500, 8, 0},  // MULTI_BASE
};

static void
build(struct pb *b, int n)
{
	for (int k = 0; k < n; k++) {
		pb_begin(b, T0 + k * PMON_TIME_PER_SEC, 777 + k, "SRV");
		pb_object(b, 4, counters, 5, PB_NO_INST, 0);
		pb_values(b, counters, 5, (uint64_t[]){1, 2, 3, 4, 5});
		pb_object(b, 232, counters, 1, 1, 0);
		pb_instance(b, 230, 0, -1, "0");
		pb_values(b, counters, 1, (uint64_t[]){1});
		pb_instance(b, 230, 0, 5, "");
		pb_values(b, counters, 1, (uint64_t[]){2});
		pb_end(b);
		pb_begin(b, T0 + k * PMON_TIME_PER_SEC, 777 + k, "SRV");
		pb_object(b, 230, counters, 1, 1, 1252);
		pb_instance(b, 0, 0, -1, "a\xF6");
		pb_values(b, counters, 1, (uint64_t[]){7});
		pb_end(b);
	}
}

static void
write_seed(const char *folder, const char *name, struct pb *b)
{
	char path[1024];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "wb");
	if (file == NULL || fwrite(b->bytes, 1, b->len, file) != b->len || fclose(file) != 0)
		exit(1);
	pb_free(b);
}

int
main(int argc, char **argv)
{
	struct pb little = {0};
	struct pb big = {.big_endian = true, .slack = 8};
	struct pb samba = {.without_head = true};
	struct pb empty = {0};

	if (argc != 2)
		return 2;
	build(&little, 2);
	write_seed(argv[1], "little.bin", &little);
	build(&big, 1);
	write_seed(argv[1], "big.bin", &big);
	build(&samba, 2);
	samba.len -= 9;
	write_seed(argv[1], "samba-cut.bin", &samba);
	pb_begin(&empty, T0, 1, "");
	pb_end(&empty);
	write_seed(argv[1], "empty.bin", &empty);
	return 0;
}
