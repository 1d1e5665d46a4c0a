// blg_trip.h - write a source as a BLG and read it back
// SPDX-License-Identifier: MIT
//
// The source and the log written from it are compared as lists of lines, one per raw value, and by
// their statistics.
//
//	struct mem_source *m = trip_new();
//	uint32_t a = trip_series(m, "\\\\S\\Disk(a)\\Reads/sec", COUNTER, true);
//
//	mem_source_sample(m, T0);
//	trip_value(m, a, 100);
//	round_trip(&m->base);
//
// As a group: cmocka_run_group_tests(tests, trip_setup, folder_remove), each test being
// TRIP_TEST(function), which removes its log.

#ifndef PMON_TESTS_BLG_TRIP_H
#define PMON_TESTS_BLG_TRIP_H

#include "blg_log.h"
#include "memsource.h"

// ---- A source ---------------------------------------------------------------------------------

struct mem_source *trip_new(void);

// A series whose time base is that of its type, or 1000 for the performance clock. trip_parts()
// builds its path from parts; NULL parts are absent.
uint32_t trip_series(struct mem_source *m, const char *text, uint32_t type, bool wildcard);
uint32_t trip_parts(struct mem_source *m, const struct pmon_path *p, uint32_t type, bool wildcard);

// A value at the time of its sample, on a performance clock that started at T0.
void trip_value(struct mem_source *m, uint32_t id, int64_t first);

// ---- The log ------------------------------------------------------------------------------------

// The path of the written log, in the folder of folder.h.
extern char trip_path[64];

int trip_setup(void **state);
int trip_remove_log(void **state);

#define TRIP_TEST(f) cmocka_unit_test_setup_teardown((f), trip_remove_log, trip_remove_log)

struct pmon_sink *create_log(void);

// Write a source to the log, and rewind it.
void write_log(struct pmon_source *source);

// Open a log that must not report any damage.
struct pmon_source *open_log(const char *name);

// Check that every buffer of the log describes itself correctly, and that the header has the right
// number of buffers.
void check_buffers(void);

// Write a source, read it back, and compare everything. Closes the source.
void round_trip(struct pmon_source *source);

// The paths and values of sample number n, in order, separated by blanks.
void values_of(size_t n, char *buf, size_t size);

#endif
