// test_loss.c - no sample and no value is lost without a report
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>

#include "blg_log.h"
#include "blg_mixed.h"
#include "loss.h"

static const uint8_t generations[] = {5, 10}; // major versions of Windows

static uint8_t *
copy_of(const void *bytes, size_t len)
{
	uint8_t *copy = malloc(len);

	assert_non_null(copy);
	memcpy(copy, bytes, len);
	return copy;
}

// ---- BLG: fields and sectors ----------------------------------------------------------------

// Every field, every head and every sector: heads of events and of value records have 8 bytes, those of
// parts 24, of events 48, of buffers 72.
static void
sweep_blg(struct loss_log *log)
{
	static const size_t widths[] = {1, 2, 4, 8, 16, 24, 48, 72, 128, 512};

	for (size_t i = 0; i < T_LEN(widths); i++)
		loss_sweep(log, widths[i], widths[i] < 8 ? widths[i] : 8);
	loss_check(log);
}

static struct loss_log
mixed_log(const struct blg_mixed *built, const char *name)
{
	return (struct loss_log){.name = name, .bytes = built->file, .len = built->len};
}

static void
blg_zeros(void **state)
{
	(void)state;
	for (size_t g = 0; g < T_LEN(generations); g++) {
		struct blg_mixed built = blg_mixed_build(generations[g]);
		struct loss_log log = mixed_log(&built, generations[g] < 6 ? "old BLG" : "BLG");

		sweep_blg(&log);
		free(built.file);
	}
}

// ---- BLG: events and buffers ----------------------------------------------------------------

#define BUFFER_HEAD 0x48
#define EVENT_HEAD  48
#define PART_HEAD   24

static uint32_t
get32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void
set32(uint8_t *p, uint32_t v)
{
	for (size_t i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

// Where the event after the one at `at` begins, or the first one of the next buffer; 0 after the last.
static size_t
next_event(const struct blg_mixed *built, size_t at)
{
	size_t buffer = at / BLG_MIXED_BUFFER * BLG_MIXED_BUFFER;
	size_t size = built->file[at] | (size_t)built->file[at + 1] << 8;

	at += at == buffer ? BUFFER_HEAD : (size + 7) / 8 * 8;
	if (at - buffer + 8 > get32(built->file + buffer + 0x30))
		at = buffer + BLG_MIXED_BUFFER + BUFFER_HEAD;
	return at < built->len ? at : 0;
}

// The damages of an event that make it one of another kind, or of no kind that is known.
static void
change_event(uint8_t *event, int kind)
{
	static const uint8_t other[16] = {1, 2, 3, 4, 5, 6, 7, 8};

	switch (kind) {
	case 0: // type, and first byte of the tag
		event[4] = 0x25;
		event[EVENT_HEAD + PART_HEAD] = 0;
		break;
	case 1: // the whole head, but what makes it an event
		memset(event + 4, 0, EVENT_HEAD + PART_HEAD - 4);
		break;
	case 2: // the class and the log
		memcpy(event + 0x18, other, sizeof(other));
		memcpy(event + EVENT_HEAD, other, sizeof(other));
		break;
	case 3: // these and the type
		memcpy(event + 0x18, other, sizeof(other));
		memcpy(event + EVENT_HEAD, other, sizeof(other));
		event[4] = 0x01;
		break;
	default: // class and log of nothing, and the record as well
		memset(event + 0x18, 0, 128);
		break;
	}
}

// Events that look like those of other programs.
static void
blg_events_of_others(void **state)
{
	(void)state;
	for (size_t g = 0; g < T_LEN(generations); g++) {
		struct blg_mixed built = blg_mixed_build(generations[g]);
		struct loss_log log = mixed_log(&built, "BLG with changed events");

		for (size_t at = BLG_MIXED_BUFFER + BUFFER_HEAD; at != 0;
		     at = next_event(&built, at)) {
			for (int kind = 0; kind < 5; kind++) {
				uint8_t *copy = copy_of(built.file, built.len);

				change_event(copy + at, kind);
				loss_judge(&log, copy, built.len, "a changed event", at);
				free(copy);
			}
		}
		loss_check(&log);
		free(built.file);
	}
}

// Samples of one event each: no other part of the log shows that one is missing.
static void
blg_whole_samples(void **state)
{
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = memory_log(&options);
	struct loss_log log = {.name = "BLG of whole samples"};
	size_t size;

	(void)state;
	for (int64_t i = 0; i < 10; i++)
		memory_sample(b, T0 + i * SECOND, i);
	log.bytes = blg_build_finish(b, &log.len);
	sweep_blg(&log);
	for (size_t at = 0x1000 + BUFFER_HEAD; at < 0x1000 + get32(log.bytes + 0x1030);
	     at += (size + 7) / 8 * 8) {
		size = log.bytes[at] | (size_t)log.bytes[at + 1] << 8;
		for (int kind = 0; kind < 5; kind++) {
			uint8_t *copy = copy_of(log.bytes, log.len);

			change_event(copy + at, kind);
			loss_judge(&log, copy, log.len, "a changed event", at);
			free(copy);
		}
	}
	loss_check(&log);
	free((void *)log.bytes);
}

// A buffer that says it has fewer events than it has, in all places where it says so.
static void
blg_short_buffers(void **state)
{
	(void)state;
	for (size_t g = 0; g < T_LEN(generations); g++) {
		struct blg_mixed built = blg_mixed_build(generations[g]);
		struct loss_count healthy = loss_read(built.file, built.len);

		for (size_t at = BLG_MIXED_BUFFER + BUFFER_HEAD; at != 0;
		     at = next_event(&built, at)) {
			uint8_t *copy = copy_of(built.file, built.len);
			uint8_t *buffer = copy + at / BLG_MIXED_BUFFER * BLG_MIXED_BUFFER;
			struct loss_count count;

			set32(buffer + 0x30, (uint32_t)(copy + at - buffer));
			if (generations[g] >= 6)
				set32(buffer + 0x04, (uint32_t)(copy + at - buffer));
			count = loss_read(copy, built.len);
			T_EQ_U64(count.samples, healthy.samples);
			T_EQ_U64(count.values, healthy.values);
			T_EQ_U64(count.losses, 1);
			free(copy);
		}
		free(built.file);
	}
}

// A buffer that occurs twice in the file: in place of the one after it, or between the two.
static void
blg_repeated_buffers(void **state)
{
	(void)state;
	for (size_t g = 0; g < T_LEN(generations); g++) {
		struct blg_mixed built = blg_mixed_build(generations[g]);
		struct loss_count healthy = loss_read(built.file, built.len);

		for (size_t at = 2 * BLG_MIXED_BUFFER; at < built.len; at += BLG_MIXED_BUFFER) {
			uint8_t *longer = malloc(built.len + BLG_MIXED_BUFFER);
			struct loss_count count;

			assert_non_null(longer);
			memcpy(longer, built.file, at);
			memcpy(longer + at, built.file + at - BLG_MIXED_BUFFER, built.len - at);
			assert_true(loss_read(longer, built.len).losses > 0);
			memcpy(longer + at, built.file + at - BLG_MIXED_BUFFER,
			       built.len + BLG_MIXED_BUFFER - at);
			count = loss_read(longer, built.len + BLG_MIXED_BUFFER);
			T_EQ_U64(count.samples, healthy.samples);
			T_EQ_U64(count.values, healthy.values);
			T_EQ_U64(count.losses, 1);
			free(longer);
		}
		free(built.file);
	}
}

// ---- Real logs ------------------------------------------------------------------------------

// Takes minutes: with PMON_TEST_FULL alone.
static void
sweep_sectors(const char *bytes, size_t len, const char *name)
{
	struct loss_log log = {.name = name, .bytes = (const uint8_t *)bytes, .len = len};

	loss_sweep(&log, 512, 512);
	loss_check(&log);
}

static void
real_logs(void **state)
{
	static const char *const names[] = {
		"blg/pwsh-CounterSamples.blg",
		"blg/tx-BasicPerfCounters.blg",
		"blg/pal-SampleLog.blg",
		"pdh-text/sirisaac_Sample01.csv",
		"perfblock/samba/snap1/Global.bin",
		"perfblock/windows/s01_Process_230.bin",
		"perfblock/wine/hkpd_Global.bin",
	};

	(void)state;
	if (getenv("PMON_TEST_FULL") == NULL)
		skip();
	t_each_data(names, T_LEN(names), sweep_sectors);
}

// ---- Hostile files --------------------------------------------------------------------------

static void
expect_report(const char *bytes, size_t len, const char *name)
{
	struct loss_count count = loss_read(bytes, len);

	if (!count.is_open || count.losses == 0)
		fail_msg("%s: no loss reported", name);
}

static void
hostile_files(void **state)
{
	static const char *const names[] = {
		"../hostile/silent-type+tag-all.blg",
		"../hostile/silent-used-both-short.blg",
		"../hostile/silent-zero-new-512-at-94720.blg",
		"../hostile/silent-zero-old-64-at-240512.blg",
#ifdef PMON_WITH_SQLITE
		"../hostile/silent-half-samples-gone.db",
#endif
	};

	(void)state;
	t_each_data(names, T_LEN(names), expect_report);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blg_zeros),
		cmocka_unit_test(blg_events_of_others),
		cmocka_unit_test(blg_whole_samples),
		cmocka_unit_test(blg_short_buffers),
		cmocka_unit_test(blg_repeated_buffers),
		cmocka_unit_test(hostile_files),
		cmocka_unit_test(real_logs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
