// loss.c - does a damaged log lose anything without a word?
// SPDX-License-Identifier: MIT

#include "loss.h"

#include <stdlib.h>

#include <pmon/log.h>

#include "format/format.h"
#include "t.h"

#define MOST_PRINTED 20 // silent losses of one log

static void
count_notice(void *ctx, const struct pmon_notice *notice)
{
	struct loss_count *count = ctx;

	assert_true(notice->text[0] != '\0');
	if (notice->is_loss)
		count->notices++;
}

static void
read_all(struct pmon_source *source, struct loss_count *count)
{
	const struct pmon_sample *sample;
	enum pmon_status status;
	struct pmon_err err;

	while ((status = pmon_source_next(source, &sample, &err)) == PMON_OK) {
		count->samples++;
		count->values += sample->n;
	}
	// A read that cannot go on is an error of the verb, so it is not silent.
	if (status != PMON_END)
		count->losses = count->notices = UINT64_MAX;
	else
		count->losses = pmon_source_info(source)->losses;
}

struct loss_count
loss_read(const void *bytes, size_t len)
{
	struct loss_count count = {0};
	struct pmon_log_options options = {.notice = count_notice, .notice_ctx = &count};
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;

	assert_int_equal(pmon_file_memory(bytes, len, NULL, &file, &err), PMON_OK);
	count.is_open = pmon_log_open_file(file, &options, &source, &err) == PMON_OK;
	if (count.is_open) {
		read_all(source, &count);
		T_EQ_U64(count.notices, count.losses);
		pmon_source_close(source);
	} else {
		assert_true(err.msg[0] != '\0');
	}
	return count;
}

static bool
is_excepted(const struct loss_log *log, size_t at)
{
	for (size_t i = 0; i < log->n_exceptions; i++)
		if (at >= log->exceptions[i].from && at < log->exceptions[i].to)
			return true;
	return false;
}

void
loss_judge(struct loss_log *log, const void *bytes, size_t len, const char *what, size_t at)
{
	struct loss_count count = loss_read(bytes, len);

	if (log->mutants++ == 0) {
		log->healthy = loss_read(log->bytes, log->len);
		assert_true(log->healthy.is_open);
		T_EQ_U64_AT(log->healthy.losses, 0, log->name);
	}
	if (count.is_open && count.samples >= log->healthy.samples &&
	    count.values >= log->healthy.values)
		return;
	log->losing++;
	if (!count.is_open || count.losses > 0)
		return;
	if (is_excepted(log, at)) {
		log->excepted++;
		return;
	}
	if (log->silent++ < MOST_PRINTED)
		print_message("%s: %s at byte %zu (0x%zx): %llu samples, %llu values, no loss "
			      "reported\n",
			      log->name, what, at, at, (unsigned long long)count.samples,
			      (unsigned long long)count.values);
}

void
loss_sweep(struct loss_log *log, size_t width, size_t step)
{
	uint8_t *copy = malloc(log->len);
	char what[64];

	assert_non_null(copy);
	(void)snprintf(what, sizeof(what), "%zu zero bytes", width);
	memcpy(copy, log->bytes, log->len);
	for (size_t at = 0; at < log->len; at += step) {
		size_t n = log->len - at < width ? log->len - at : width;

		memset(copy + at, 0, n);
		if (memcmp(copy + at, log->bytes + at, n) != 0)
			loss_judge(log, copy, log->len, what, at);
		memcpy(copy + at, log->bytes + at, n);
	}
	free(copy);
}

void
loss_drop_lines(struct loss_log *log)
{
	uint8_t *copy = malloc(log->len);

	assert_non_null(copy);
	for (size_t at = 0, end; at < log->len; at = end) {
		const uint8_t *newline = memchr(log->bytes + at, '\n', log->len - at);

		end = newline != NULL ? (size_t)(newline - log->bytes) + 1 : log->len;
		memcpy(copy, log->bytes, at);
		memcpy(copy + at, log->bytes + end, log->len - end);
		loss_judge(log, copy, log->len - (end - at), "a dropped line", at);
	}
	free(copy);
}

void
loss_cut_lines(struct loss_log *log)
{
	for (size_t at = 0; at < log->len; at++)
		if (log->bytes[at] == '\n')
			loss_judge(log, log->bytes, at + 1, "the end after a line", at);
}

void
loss_check(struct loss_log *log)
{
	print_message("%s: %zu mutants, %zu lost something, %zu of them in exceptions\n", log->name,
		      log->mutants, log->losing, log->excepted);
	assert_true(log->losing > 0);
	if (log->silent > 0)
		fail_msg("%s: %zu silent losses", log->name, log->silent);
}
