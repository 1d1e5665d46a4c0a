// test_blg_ahead.c - reading a binary log ahead in a thread gives the same result
// SPDX-License-Identifier: MIT

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#undef _FORTIFY_SOURCE // defines pread() inline

#include "t.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "blg_log.h"
#include "buf.h"
#include "dump.h"
#include "folder.h"
#include "model/source.h"

#define THREADS   2
#define LOG_BYTES ((size_t)6 << 20) // enough for a thread to be begun
#define SMALL     0x1000
#define USUAL     0x10000
#define LARGE     0x80000 // than what the thread reads at a time: there is none

// ---- Reads that fail ------------------------------------------------------------------------

static struct {
	uint64_t bad;              // offset: each read of this byte fails; 0: none
	_Atomic unsigned by_other; // reads of another thread than the main one
	bool holds;                // the second of these until the log is being closed
	atomic_bool is_held;
	atomic_bool is_closing;
	atomic_bool is_closed; // the file was, while that read was under way
} reads;

static void
hold(int fd)
{
	reads.is_held = true;
	while (!reads.is_closing)
		sched_yield();
	for (int i = 0; i < 1000 && !reads.is_closed; i++) { // time to do it in the wrong order
		sched_yield();
		reads.is_closed = fcntl(fd, F_GETFD) < 0;
	}
}

// Found before the function of the C library.
ssize_t
pread(int fd, void *buf, size_t n, off_t offset)
{
	if (gettid() != getpid() && ++reads.by_other == 2 && reads.holds)
		hold(fd);
	if (reads.bad > 0 && reads.bad >= (uint64_t)offset && reads.bad < (uint64_t)offset + n) {
		errno = EIO;
		return -1;
	}
	return preadv(fd, &(struct iovec){.iov_base = buf, .iov_len = n}, 1, offset);
}

// ---- A log ----------------------------------------------------------------------------------

struct log {
	uint8_t *bytes;
	size_t len;
	uint32_t buffer_bytes;
	size_t n; // buffers after the first
	char path[64];
};

static struct log
make(uint32_t buffer_bytes)
{
	struct blg_build_options options = {.buffer_bytes = buffer_bytes, .end = T0};
	struct blg_build *b = memory_log(&options);
	struct log log = {.buffer_bytes = buffer_bytes};

	for (int64_t i = 0; i < (int64_t)(LOG_BYTES / 136); i++)
		memory_sample(b, T0 + i * SECOND, i);
	log.bytes = blg_build_finish(b, &log.len);
	assert_true(log.len > LOG_BYTES * 2 / 3);
	log.n = log.len / buffer_bytes - 1;
	(void)snprintf(log.path, sizeof(log.path), "%s/log.blg", folder);
	return log;
}

// ---- Both ways ------------------------------------------------------------------------------

struct outcome {
	enum pmon_status status;
	uint64_t samples;
	uint64_t hash;
	uint64_t losses;
	struct buf notices;
};

static void
add_notice(void *ctx, const struct pmon_notice *notice)
{
	buf_add(ctx, "%d %" PRIu64 " %" PRIu64 " %s\n", (int)notice->is_loss, notice->offset,
		notice->length, notice->text);
}

static void
mix(struct outcome *out, uint64_t value)
{
	out->hash = (out->hash ^ value) * UINT64_C(0x100000001B3);
}

// Read to the end, or until it fails twice in a row.
static void
read_rest(struct pmon_source *source, struct outcome *out, uint64_t most)
{
	const struct pmon_sample *sample;
	enum pmon_status before = PMON_OK;

	for (; out->samples < most; before = out->status) {
		out->status = pmon_source_next(source, &sample, NULL);
		if (out->status == PMON_END || (out->status != PMON_OK && out->status == before))
			return;
		mix(out, (uint64_t)out->status);
		if (out->status != PMON_OK)
			continue;
		out->samples++;
		mix(out, (uint64_t)sample->time);
		for (size_t i = 0; i < sample->n; i++)
			mix(out, (uint64_t)sample->raw[i].first);
		mix(out, source->info.bytes_read);
	}
}

static struct outcome
read_log(const char *path, unsigned threads, uint64_t first_time)
{
	struct outcome out = {.hash = 1};
	struct pmon_log_options options = {.size = sizeof(options),
					   .threads = threads,
					   .notice = add_notice,
					   .notice_ctx = &out.notices};
	struct pmon_source *source;

	buf_add(&out.notices, "%s", "");
	out.status = pmon_log_open(path, &options, &source, NULL);
	if (out.status != PMON_OK)
		return out;
	if (first_time > 0) {
		read_rest(source, &out, first_time);
		out.samples = 0;
		assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	}
	read_rest(source, &out, UINT64_MAX);
	out.losses = source->info.losses;
	pmon_source_close(source);
	return out;
}

static void
same_both_ways(const struct log *log, uint64_t first_time, bool has_thread, const char *label)
{
	struct outcome one, many;

	t_write_file(log->path, log->bytes, log->len);
	reads.by_other = 0;
	one = read_log(log->path, 1, first_time);
	T_EQ_U64_AT(reads.by_other, 0, label);
	many = read_log(log->path, THREADS, first_time);
	if ((reads.by_other > 0) != has_thread)
		fail_msg("%s: %u reads by a thread", label, reads.by_other);
	assert_int_equal(many.status, one.status);
	T_EQ_U64_AT(many.samples, one.samples, label);
	T_EQ_U64_AT(many.hash, one.hash, label);
	T_EQ_U64_AT(many.losses, one.losses, label);
	T_EQ_STR(many.notices.text, one.notices.text);
	buf_free(&one.notices);
	buf_free(&many.notices);
	(void)remove(log->path);
}

// ---- Tests ----------------------------------------------------------------------------------

static void
whole_logs(void **state)
{
	static const uint32_t sizes[] = {SMALL, USUAL, LARGE};

	(void)state;
	for (size_t i = 0; i < T_LEN(sizes); i++) {
		struct log log = make(sizes[i]);
		struct outcome out;

		same_both_ways(&log, 0, sizes[i] != LARGE, "whole");
		same_both_ways(&log, 1, sizes[i] != LARGE, "again after a sample");
		same_both_ways(&log, 30000, sizes[i] != LARGE, "again after many");
		t_write_file(log.path, log.bytes, log.len);
		out = read_log(log.path, THREADS, 0);
		T_EQ_U64(out.samples, LOG_BYTES / 136);
		buf_free(&out.notices);
		(void)remove(log.path);
		free(log.bytes);
	}
}

// A circular log; two buffers that changed places; the order of the file reversed.
static void
orders(void **state)
{
	(void)state;
	for (int kind = 0; kind < 3; kind++) {
		struct log log = make(USUAL);
		size_t *order = calloc(log.n, sizeof(*order));

		assert_non_null(order);
		for (size_t i = 0; i < log.n; i++)
			order[i] = kind == 0   ? (i + log.n / 3) % log.n + 1
				   : kind == 1 ? i + 1
					       : log.n - i;
		if (kind == 1) {
			order[40] = 42;
			order[41] = 41;
		}
		blg_build_reorder(log.bytes, log.len, order, log.n);
		same_both_ways(&log, 0, true, "another order");
		free(order);
		free(log.bytes);
	}
}

// Buffers with a damaged header, zeros in their place, the file cut anywhere in its last buffers.
static void
damage(void **state)
{
	struct log log = make(USUAL);
	size_t len = log.len;

	(void)state;
	for (size_t i = 15; i < 24; i++) {
		uint8_t kept = log.bytes[i * USUAL];

		log.bytes[i * USUAL] ^= 0x55;
		same_both_ways(&log, 0, true, "a damaged header");
		log.bytes[i * USUAL] = kept;
	}
	for (size_t cut = 0; cut < 6 * USUAL; cut += USUAL / 2 - 1) {
		log.len = len - cut;
		same_both_ways(&log, 0, true, "cut off");
	}
	log.len = len;
	memset(log.bytes + (size_t)30 * USUAL, 0, (size_t)9 * USUAL);
	same_both_ways(&log, 0, true, "zeros");
	free(log.bytes);
}

// A place of the disk that cannot be read.
static void
failing_reads(void **state)
{
	struct log log = make(USUAL);

	(void)state;
	for (size_t i = 16; i < log.n; i += 7) {
		reads.bad = i * USUAL + USUAL / 2;
		same_both_ways(&log, 0, true, "a read that fails");
	}
	reads.bad = 0;
	free(log.bytes);
}

// The file is closed after the thread has ended, not while it reads.
static void
closing_while_the_thread_reads(void **state)
{
	const struct pmon_log_options options = {.size = sizeof(options), .threads = THREADS};
	struct log log = make(USUAL);
	const struct pmon_sample *sample;
	struct pmon_source *source;

	(void)state;
	t_write_file(log.path, log.bytes, log.len);
	reads.by_other = 0;
	reads.holds = true;
	assert_int_equal(pmon_log_open(log.path, &options, &source, NULL), PMON_OK);
	while (reads.by_other == 0)
		assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	while (!reads.is_held)
		sched_yield();
	reads.is_closing = true;
	pmon_source_close(source);
	reads.holds = false;
	assert_false(reads.is_closed);
	(void)remove(log.path);
	free(log.bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closing_while_the_thread_reads),
		cmocka_unit_test(whole_logs),
		cmocka_unit_test(orders),
		cmocka_unit_test(damage),
		cmocka_unit_test(failing_reads),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}

#else

int
main(void)
{
	return 77;
}

#endif
