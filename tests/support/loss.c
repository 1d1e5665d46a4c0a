// loss.c - check that no loss in a damaged log goes unreported
// SPDX-License-Identifier: MIT

#include "loss.h"

#include <stdlib.h>
#include <string.h>

#include <pmon/log.h>

#include "format/format.h"
#include "t.h"

#define MOST_PRINTED 20 // unreported losses in one log

static void
count_notice(void *ctx, const struct pmon_notice *notice)
{
	struct loss_count *count = ctx;

	assert_true(notice->text[0] != '\0');
	if (notice->is_loss)
		count->notices++;
}

// FNV-1a
static void
digest(struct loss_count *count, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	for (size_t i = 0; i < len; i++)
		count->digest = (count->digest ^ p[i]) * UINT64_C(0x100000001B3);
}

static void
digest_sample(struct loss_count *count, const struct pmon_schema *schema,
	      const struct pmon_sample *sample)
{
	digest(count, &sample->time, sizeof(sample->time));
	for (size_t i = 0; i < sample->n; i++) {
		const struct pmon_raw *raw = &sample->raw[i];
		struct pmon_span name = pmon_schema_at(schema, sample->series[i])->name;

		digest(count, name.ptr, name.len);
		digest(count, &raw->time, sizeof(raw->time));
		digest(count, &raw->first, sizeof(raw->first));
		digest(count, &raw->second, sizeof(raw->second));
		digest(count, &raw->multi, sizeof(raw->multi));
		digest(count, &raw->status, sizeof(raw->status));
	}
}

// Check that a binary log's ledger contains each byte once.
static void
check_ledger(const struct pmon_source_info *info, size_t len)
{
	if (strcmp(info->format, "BLG") == 0 || info->bytes_used > 0)
		T_EQ_U64(info->bytes_used + info->bytes_unused + info->bytes_damaged, len);
}

static void
read_all(struct pmon_source *source, size_t len, struct loss_count *count)
{
	const struct pmon_sample *sample;
	enum pmon_status status;
	struct pmon_err err;

	while ((status = pmon_source_next(source, &sample, &err)) == PMON_OK) {
		count->samples++;
		count->values += sample->n;
		digest_sample(count, pmon_source_schema(source), sample);
	}
	if (status == PMON_END)
		check_ledger(pmon_source_info(source), len);
	// If reading cannot continue, the command reports an error, so the loss is not silent.
	if (status != PMON_END)
		count->losses = count->notices = UINT64_MAX;
	else
		count->losses = pmon_source_info(source)->losses;
}

struct loss_count
loss_read(const void *bytes, size_t len)
{
	struct loss_count count = {0};
	struct pmon_log_options options = {
		.size = sizeof(options), .notice = count_notice, .notice_ctx = &count};
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;

	assert_int_equal(pmon_file_memory(bytes, len, NULL, &file, &err), PMON_OK);
	count.is_open = pmon_log_open_file(file, &options, &source, &err) == PMON_OK;
	if (count.is_open) {
		read_all(source, len, &count);
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

static bool
is_complete(const struct loss_log *log, const struct loss_count *count)
{
	if (!count->is_open)
		return false;
	if (log->is_exact)
		return count->digest == log->healthy.digest;
	return count->samples >= log->healthy.samples && count->values >= log->healthy.values;
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
	if (is_complete(log, &count))
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

// Put the damaged log in `out`; returns its length.
static size_t
damage(const struct loss_log *log, enum loss_kind kind, size_t at, size_t width, uint8_t *out)
{
	size_t left = log->len - at;
	size_t n = width < left ? width : left;

	memcpy(out, log->bytes, log->len);
	switch (kind) {
	case LOSS_CUT:
		return at;
	case LOSS_DELETE:
		memmove(out + at, out + at + n, left - n);
		return log->len - n;
	case LOSS_INSERT:
		memmove(out + at + width, out + at, left);
		for (size_t i = 0; i < width; i++)
			out[at + i] = (uint8_t)(i * 151 + at);
		return log->len + width;
	default:
		memset(out + at, 0, n);
		return log->len;
	}
}

void
loss_damage(struct loss_log *log, enum loss_kind kind, size_t at, size_t width)
{
	static const char *const names[LOSS_KINDS] = {"cut", "deleted", "inserted", "zero"};
	uint8_t *bytes = malloc(log->len + width);
	char what[64];
	size_t len;

	assert_non_null(bytes);
	(void)snprintf(what, sizeof(what), "%zu bytes %s", width, names[kind]);
	len = damage(log, kind, at, width, bytes);
	loss_judge(log, bytes, len, what, at);
	free(bytes);
}

void
loss_damage_each(struct loss_log *log, enum loss_kind kind, size_t width, size_t step)
{
	for (size_t at = 0; at < log->len; at += step)
		loss_damage(log, kind, at, width);
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
