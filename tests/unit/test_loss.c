// test_loss.c - no sample and no value is lost without a report
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>

#include "blg_log.h"
#include "blg_mixed.h"
#include "blg_trip.h"
#include "folder.h"
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

// Every field, header and sector: headers of events and value records have 8 bytes, of parts 24, of
// events 48, of buffers 72.
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

// With what fills it up.
static size_t
event_bytes(const uint8_t *event)
{
	return ((event[0] | (size_t)event[1] << 8) + 7) / 8 * 8;
}

// The offset of the event after the one at `at`, possibly in the next buffer; 0 after the last.
static size_t
next_event(const struct blg_mixed *built, size_t at)
{
	size_t buffer = at / BLG_MIXED_BUFFER * BLG_MIXED_BUFFER;

	at += at == buffer ? BUFFER_HEAD : event_bytes(built->file + at);
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

	(void)state;
	for (int64_t i = 0; i < 10; i++)
		memory_sample(b, T0 + i * SECOND, i);
	log.bytes = blg_build_finish(b, &log.len);
	sweep_blg(&log);
	for (size_t at = 0x1000 + BUFFER_HEAD; at < 0x1000 + get32(log.bytes + 0x1030);
	     at += event_bytes(log.bytes + at)) {
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

// A buffer whose header understates its events, in all fields that state their number.
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

// A buffer that occurs twice in the file: replacing the next one, or inserted before it.
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

// ---- BLG: texts -----------------------------------------------------------------------------

// Zeros in a table of names, or in the texts of a catalogue, are damage, wherever they begin and end.

static const struct blg_build_title text_titles[] = {
	{2, "O"}, {4, "X"}, {10, "Reads/sec"}, {1234, "% Disk Time"}, {99999, "Queue Length"},
};

static void
text_sample(struct blg_build *b)
{
	static const struct blg_build_counter counters[] = {
		{2, 0x00010000, 4, 0},    {4, 0x00010000, 4, 0},     {10, 0x00010000, 4, 0},
		{1234, 0x00010000, 4, 0}, {99999, 0x00010000, 4, 0},
	};
	static const int64_t values[] = {1, 2, 3, 4, 5};
	const struct blg_build_object object = {
		.title = 2,
		.system_time = T0,
		.perf_freq = 1000,
		.perf_time_100ns = T0,
		.counters = counters,
		.n_counters = T_LEN(counters),
		.values = values,
	};

	blg_build_sample_begin(b);
	blg_build_single(b, 0, T0, 5, T0, 1);
	blg_build_object(b, &object);
	blg_build_sample_end(b, T0);
}

static struct loss_log
text_log(const struct blg_build_options *generation)
{
	static const struct blg_build_entry list[] = {
		{0, 0x20510500, 10000000, 0, "\\\\SRV", "Thread", "a", "Parent", "% Busy", 0},
		{0x10, 0x10, 0, 0, "\\\\SRV", "Disk", NULL, NULL, "*", 0},
	};
	struct blg_build_options options = *generation;
	struct loss_log log = {.name = "texts of a BLG", .is_exact = true};
	struct blg_build *b;

	options.end = T0;
	b = blg_build_new(&options);
	blg_build_names(b, T0 - 20, "\\\\SRV", text_titles, T_LEN(text_titles));
	blg_build_catalogue(b, T0 - 10, list, T_LEN(list));
	text_sample(b);
	log.bytes = blg_build_finish(b, &log.len);
	return log;
}

static void
zero_within(struct loss_log *log, size_t from, size_t to)
{
	for (size_t at = from; at < to; at++)
		for (size_t n = 1; n <= to - at; n++)
			loss_damage(log, LOSS_ZERO, at, n);
}

// Zeros up to the end of an entry's last text may look like padding, so its last character is kept.
static size_t
end_of_texts(const uint8_t *bytes, size_t end)
{
	while (bytes[end - 1] == 0)
		end--;
	return end - 1;
}

static void
blg_texts(void **state)
{
	(void)state;
	for (size_t g = 0; g < N_GENERATIONS; g++) {
		struct loss_log log = text_log(&blg_generations[g]);
		size_t table = get32(log.bytes) + BUFFER_HEAD;
		size_t list = table + event_bytes(&log.bytes[table]);
		size_t entry = list + EVENT_HEAD + PART_HEAD + 8;

		zero_within(&log, table + EVENT_HEAD + PART_HEAD, list);
		while (entry < list + event_bytes(&log.bytes[list])) {
			size_t end = entry + get32(&log.bytes[entry]);

			zero_within(&log, entry + 0x34, end_of_texts(log.bytes, end));
			entry = end;
		}
		loss_check(&log);
		free((void *)log.bytes);
	}
}

// ---- BLG: cut, shifted, zeroed --------------------------------------------------------------

// The end, the middle and single sectors of a log are lost, bytes at each step-th position. The result
// may differ only if the loss is reported.
static void
shift_blg(struct loss_log *log, size_t buffer_bytes, size_t step)
{
	static const size_t widths[] = {1, 2, 3, 4, 7, 8, 16, 24, 48, 100};

	log->is_exact = true;
	loss_damage_each(log, LOSS_CUT, 0, 1);
	for (size_t i = 0; i < T_LEN(widths); i++) {
		loss_damage_each(log, LOSS_DELETE, widths[i], step);
		loss_damage_each(log, LOSS_INSERT, widths[i], 3);
	}
	for (size_t n = buffer_bytes - 8; n <= buffer_bytes + 8; n += 4) {
		loss_damage_each(log, LOSS_DELETE, n, 5);
		loss_damage_each(log, LOSS_INSERT, n, 7);
	}
	loss_damage_each(log, LOSS_ZERO, 128, 64);
	loss_damage_each(log, LOSS_ZERO, 512, 512);
	loss_damage_each(log, LOSS_ZERO, buffer_bytes, buffer_bytes);
	loss_check(log);
}

// Each odd step has each distance to the fields, which are aligned to 8 bytes at most. PMON_TEST_FULL: every position.
static void
blg_shifts(void **state)
{
	size_t step = getenv("PMON_TEST_FULL") != NULL    ? 1
		      : getenv("PMON_TEST_TENTH") != NULL ? 29
							  : 3;

	(void)state;
	for (size_t g = 0; g < T_LEN(generations); g++) {
		struct blg_mixed built = blg_mixed_build(generations[g]);
		struct loss_log log = mixed_log(&built, "shifted BLG of all forms");

		shift_blg(&log, BLG_MIXED_BUFFER, step);
		free(built.file);
	}
}

// A single buffer with room at its end, as the last of a log nearly always has.
static void
blg_shifts_in_last_buffer(void **state)
{
	(void)state;
	for (size_t g = 0; g < N_GENERATIONS; g++) {
		struct blg_build_options options = blg_generations[g];
		struct loss_log log = {.name = "shifted BLG of whole samples"};
		struct blg_build *b;

		options.buffer_bytes = 0x400;
		options.end = T0;
		b = memory_log(&options);
		for (int64_t i = 0; i < 3; i++)
			memory_sample(b, T0 + i * SECOND, i - 1);
		log.bytes = blg_build_finish(b, &log.len);
		shift_blg(&log, options.buffer_bytes, 1);
		free((void *)log.bytes);
	}
}

// ---- Real logs: damages at random -------------------------------------------------------------

#define LARGE_BYTES 400000

static uint64_t
next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 33;
}

// So many mutants: fewer of a log that takes long to read.
static size_t
usual_mutants(size_t len)
{
	return t_runs("PMON_TEST_MUTANTS", len > LARGE_BYTES ? 200 : 1000);
}

// Most damage is short; lost sectors and buffers also occur.
static size_t
random_width(uint64_t *state)
{
	static const size_t most[] = {4, 16, 64, 600, 4096, 70000};

	return 1 + (size_t)next_random(state) % most[next_random(state) % T_LEN(most)];
}

static void
damage_at_random(const char *bytes, size_t len, const char *name)
{
	struct loss_log shifted = {
		.name = name, .bytes = (const uint8_t *)bytes, .len = len, .is_exact = true};
	struct loss_log zeroed = {.name = name, .bytes = (const uint8_t *)bytes, .len = len};
	size_t n = getenv("PMON_TEST_FULL") != NULL ? 30000 : usual_mutants(len);
	uint64_t state = 1;

	for (size_t i = 0; i < n; i++) {
		enum loss_kind kind = next_random(&state) % LOSS_KINDS;
		size_t at = (size_t)next_random(&state) % len;

		loss_damage(kind == LOSS_ZERO ? &zeroed : &shifted, kind, at, random_width(&state));
	}
	loss_check(&shifted);
	loss_check(&zeroed);
}

// A log of pmon's own writer, of three buffers.
static struct pmon_source *
written_source(void)
{
	struct mem_source *m = trip_new();
	uint32_t ids[40];

	for (uint32_t i = 0; i < T_LEN(ids); i++) {
		char path[64];

		(void)snprintf(path, sizeof(path), "\\\\S\\Disk(%u)\\Reads/sec", i);
		ids[i] = trip_series(m, path, COUNTER, i < 20);
	}
	for (int64_t k = 0; k < 40; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		for (size_t i = 0; i < T_LEN(ids); i++)
			trip_value(m, ids[i], k * 1000 + (int64_t)i);
	}
	return &m->base;
}

static void
written_log_at_random(void **state)
{
	struct pmon_source *source = written_source();
	size_t len;
	char *bytes;

	(void)state;
	write_log(source);
	pmon_source_close(source);
	bytes = t_read_file(trip_path, &len);
	assert_non_null(bytes);
	damage_at_random(bytes, len, "BLG by pmon");
	free(bytes);
	(void)trip_remove_log(NULL);
}

static void
real_logs_at_random(void **state)
{
	(void)state;
	t_each_data(real_blgs, N_REAL_BLGS, damage_at_random);
}

// ---- Real logs ------------------------------------------------------------------------------

// Takes minutes, so only with PMON_TEST_FULL.
static void
sweep_sectors(const char *bytes, size_t len, const char *name)
{
	struct loss_log log = {
		.name = name, .bytes = (const uint8_t *)bytes, .len = len, .is_exact = true};

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
		"../hostile-2/silent-short-buffer-2.blg",
		"../hostile-2/silent-short-buffer-512.blg",
		"../hostile-2/silent-short-buffer-own.blg",
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
		cmocka_unit_test(blg_texts),
		cmocka_unit_test(blg_shifts),
		cmocka_unit_test(blg_shifts_in_last_buffer),
		cmocka_unit_test(hostile_files),
		cmocka_unit_test(written_log_at_random),
		cmocka_unit_test(real_logs_at_random),
		cmocka_unit_test(real_logs),
	};

	return cmocka_run_group_tests(tests, trip_setup, folder_remove);
}
