// blg_log.h - small logs made with blg_build.h, and checks of what is read from them
// SPDX-License-Identifier: MIT
//
//	struct blg_build *b = memory_log(NULL);
//
//	memory_sample(b, T0, 5);
//	blg_expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
//		      "\\\\SRV\\Memory\\Available Bytes = 5 0\n");

#ifndef PMON_TESTS_BLG_LOG_H
#define PMON_TESTS_BLG_LOG_H

#include <pmon/log.h>

#include "blg_build.h"
#include "dump.h"
#include "moments.h"

// Counter types, by their numbers in logs (winperf.h of the Windows SDK).
#define RAWCOUNT   0x00010000u
#define COUNTER    0x10410400u // rate on the performance clock
#define TIMER_100N 0x20510500u // on the system clock
#define DOUBLE_RAW 0x00012000u
#define FRACTION   0x20020400u
#define RAW_BASE   0x40030403u
#define AVG_TIMER  0x30020400u
#define AVG_BASE   0x40030402u
#define MULTI_TIME 0x22410500u
#define MULTI_BASE 0x42030500u
#define PRECISE    0x20570500u
#define PRECISE_TS 0x40030500u
#define ELAPSED    0x30240500u
#define TEXT       0x00000B00u

// ---- Logs ---------------------------------------------------------------------------------------

// Windows before and after Vista, with 32 and 64 bits.
#define N_GENERATIONS 4
extern const struct blg_build_options blg_generations[N_GENERATIONS];

// UTC+1, and UTC+2 in summer from the last Sunday in March to the last in October.
extern const struct blg_build_options blg_berlin;

// A log with one counter, which has this entry.
extern const struct blg_build_entry memory_entry;
struct blg_build *memory_log(const struct blg_build_options *options);
void memory_sample(struct blg_build *b, int64_t time, int64_t value);

// A log of \\S\P(*)\C. The value of each instance is its position.
struct blg_build *disk_log(void);
void disk_sample(struct blg_build *b, int64_t time, const char *const *names, size_t n);

// Logs from the shared data, written by Export-Counter, by perfmon, and by logman with whole
// objects.
#define N_REAL_BLGS 3
extern const char *const real_blgs[N_REAL_BLGS];

// ---- Reading ------------------------------------------------------------------------------------

// A log and what was read from it.
struct blg_opened {
	uint8_t *file;
	size_t len;
	struct pmon_source *source;
	struct dump dump;
};

// Open what was built; a failure fails the test. options may be NULL.
struct blg_opened blg_log_open(struct blg_build *b, const struct pmon_log_options *options);

// Read it to its end.
void blg_log_read(struct blg_opened *log);

void blg_log_close(struct blg_opened *log);

// Check that a built log is read completely, and again after a rewind; notices come first.
void blg_expect(struct blg_build *b, const char *want);

#endif
