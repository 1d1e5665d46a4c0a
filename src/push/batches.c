// batches.c - split a log into batches, each of which is stored once
// SPDX-License-Identifier: MIT
//
// A batch ends before the first sample that does not fit, which depends only on the samples. So it ends at
// the same sample whenever the log is pushed, has the same digest, and is found in the ledger. A batch is
// recorded in the ledger after it is stored. If a push is interrupted before that, the batch is sent again,
// and the engine recognizes rows that it already has by their keys. So an interrupted push can simply be
// repeated.
//
//	keys.c    keys of series and rows       ledger.c  which batches are stored
//	push.h    the interface of an engine

#include "base/err.h"
#include "base/mem.h"
#include "push/push.h"

// ---- Sending --------------------------------------------------------------------------------

static void
tell_progress(const struct pmon_push_sink *push)
{
	if (push->options.progress != NULL)
		push->options.progress(push->options.progress_ctx, &push->counts);
}

static bool
is_in_ledger(struct pmon_push_sink *push)
{
	return pmon_push_ledger_has(&push->ledger, &push->batch.digest,
				    pmon_push_batch_kept(&push->batch));
}

// Compare the batch with the stored rows, regardless of the ledger.
static enum pmon_status
look_for_missing(struct pmon_push_sink *push, bool *is_missing, struct pmon_err *err)
{
	uint64_t n = 0;
	enum pmon_status status = PMON_OK;

	if (push->batch.n > 0)
		status = push->engine->count_missing(push, &n, err);
	push->counts.missing += n;
	if (is_in_ledger(push))
		push->counts.lost += n;
	*is_missing = n > 0;
	return status;
}

// Send the batch if it is not stored yet; *n_new is the number of new rows.
static enum pmon_status
send_unless_stored(struct pmon_push_sink *push, uint64_t *n_new, struct pmon_err *err)
{
	const struct pmon_push_engine *engine = push->engine;
	enum pmon_push_check check = push->options.check;
	bool is_missing = false;
	enum pmon_status status = PMON_OK;

	*n_new = 0;
	if (push->batch.n > 0 && pmon_push_batch_kept(&push->batch) == 0)
		return PMON_OK;
	if (engine->send_series != NULL && check != PMON_PUSH_VERIFY)
		status = engine->send_series(push, err);
	if (status == PMON_OK && check != PMON_PUSH_NEW)
		status = look_for_missing(push, &is_missing, err);
	else
		is_missing = !is_in_ledger(push);
	if (status == PMON_OK && is_missing && check != PMON_PUSH_VERIFY)
		status = engine->send(push, n_new, err);
	return status;
}

// Finish a batch. If it could not be sent it is kept, to be sent again or reported.
static enum pmon_status
end_batch(struct pmon_push_sink *push, struct pmon_err *err)
{
	uint64_t n_new;
	uint64_t missing = push->counts.missing;
	enum pmon_status status = send_unless_stored(push, &n_new, err);

	// When rows are compared, only the missing ones count as sent, though their whole batch is.
	missing = push->counts.missing - missing;
	if (push->options.check == PMON_PUSH_AGAIN && missing < n_new)
		n_new = missing;
	if (push->options.check == PMON_PUSH_VERIFY)
		push->counts.stored -= missing;

	if (status == PMON_OK) {
		push->counts.sent += n_new;
		push->counts.expired += push->batch.n_expired;
		push->counts.stored +=
			pmon_push_batch_kept(&push->batch) - push->batch.left_out - n_new;
		push->batch = (struct pmon_push_batch){.n = 0};
		push->engine->clear(push);
	}
	tell_progress(push);
	return status;
}

// ---- Taking ---------------------------------------------------------------------------------

static enum pmon_status
add_new_series(struct pmon_push_sink *push, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK && push->counts.series < push->keys.n) {
		status = push->engine->add_series(push, (size_t)push->counts.series, err);
		push->counts.series += status == PMON_OK;
	}
	return status;
}

// The first sample identifies the log and its ledger.
static enum pmon_status
begin_log(struct pmon_push_sink *push, const struct pmon_sample *first, struct pmon_err *err)
{
	enum pmon_status status;

	push->log = pmon_push_log_digest(&push->keys, first);
	status = push->engine->read_ledger(push, err);
	push->has_log = status == PMON_OK;
	return status;
}

static bool
is_full(const struct pmon_push_sink *push, const struct pmon_sample *sample)
{
	size_t n = sample->n + (sample->owners != NULL ? sample->owners->n : 0);

	if (push->batch.n > 0 && push->batch.n + n > push->batch_rows)
		return true;
	return push->engine->is_full != NULL && push->engine->is_full(push, sample);
}

// Why a sample is not sent.
struct left_out {
	bool is_expired;
	bool is_ahead;
};

static void
count_sample(struct pmon_push_sink *push, const struct pmon_sample *sample, struct left_out left)
{
	struct pmon_push_counts *counts = &push->counts;
	struct pmon_push_batch *batch = &push->batch;

	counts->backward += counts->samples > 0 && sample->time < push->newest;
	counts->samples += !sample->starts;
	push->newest = sample->time;
	if (!left.is_ahead && batch->n == batch->n_ahead)
		batch->first = sample->time;
	if (!left.is_ahead)
		batch->last = sample->time;
	batch->n += sample->n;
	batch->n_expired += left.is_expired ? sample->n : 0;
	batch->n_ahead += left.is_ahead ? sample->n : 0;
	counts->ahead += left.is_ahead ? sample->n : 0;
}

static void
make_row(struct pmon_push_sink *push, const struct pmon_sample *sample, size_t i)
{
	if (sample->raw[i].status == PMON_RAW_OWNER && sample->starts)
		pmon_push_keys_owner(&push->keys, sample, i, &push->rows[i]);
	else
		pmon_push_keys_row(&push->keys, sample, i, &push->rows[i]);
}

static enum pmon_status
take_sample(struct pmon_push_sink *push, const struct pmon_sample *sample, struct pmon_err *err)
{
	struct pmon_hash128 digest = push->batch.digest;
	struct left_out left = {.is_expired = sample->time < push->keep_from};
	enum pmon_status status = pmon_push_clock_check(push, sample, &left.is_ahead, err);

	if (status != PMON_OK)
		return status;
	if (!pmon_mem_grow(push->allocator, &push->rows, &push->rows_cap, sample->n,
			   sizeof(*push->rows)))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < sample->n; i++) {
		make_row(push, sample, i);
		pmon_push_digest_row(&digest, &push->rows[i]);
	}
	push->counts.rows += sample->n;
	if (!left.is_expired && !left.is_ahead)
		status = push->engine->add(push, sample, push->rows, err);
	if (status == PMON_OK) {
		push->batch.digest = digest;
		count_sample(push, sample, left);
	}
	return status;
}

// ---- The sink -------------------------------------------------------------------------------

static enum pmon_status
sink_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	   const struct pmon_source_info *info, struct pmon_err *err)
{
	struct pmon_push_sink *push = (struct pmon_push_sink *)sink;
	enum pmon_status status;

	pmon_push_keys_init(&push->keys, schema, &push->labels, push->allocator);
	push->info = info;
	status = push->engine->begin(push, err);
	if (status == PMON_OK)
		status = pmon_push_clock_read(push, err);
	return status == PMON_OK ? pmon_push_check_machines(push, err) : status;
}

static enum pmon_status
sink_add(struct pmon_sink *sink, const struct pmon_sample *sample, const struct pmon_value *values,
	 struct pmon_err *err)
{
	struct pmon_push_sink *push = (struct pmon_push_sink *)sink;
	enum pmon_status status = pmon_push_keys_grow(&push->keys, err);

	(void)values;
	if (status == PMON_OK && !push->has_log)
		status = begin_log(push, sample, err);
	if (status == PMON_OK)
		status = add_new_series(push, err);
	if (status == PMON_OK && is_full(push, sample))
		status = end_batch(push, err);
	if (status == PMON_OK && sample->owners != NULL)
		status = take_sample(push, sample->owners, err);
	return status == PMON_OK ? take_sample(push, sample, err) : status;
}

// Acknowledged data is as durable as the server makes it, unless the engine implements flush().
static enum pmon_status
sink_flush(struct pmon_sink *sink, bool sync, struct pmon_err *err)
{
	struct pmon_push_sink *push = (struct pmon_push_sink *)sink;
	enum pmon_status status = end_batch(push, err);

	if (status == PMON_OK && push->engine->flush != NULL)
		status = push->engine->flush(push, sync, err);
	return status;
}

static enum pmon_status
sink_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	struct pmon_push_sink *push = (struct pmon_push_sink *)sink;
	enum pmon_status status = pmon_push_keys_grow(&push->keys, err);

	if (status == PMON_OK)
		status = add_new_series(push, err);
	if (status == PMON_OK)
		status = end_batch(push, err);
	if (status == PMON_OK && push->engine->finish != NULL)
		status = push->engine->finish(push, err);
	push->engine->tell(push);
	pmon_push_clock_tell(push);
	return status;
}

static void
sink_close(struct pmon_sink *sink)
{
	struct pmon_push_sink *push = (struct pmon_push_sink *)sink;

	push->engine->close(push);
	pmon_push_keys_free(&push->keys);
	pmon_push_ledger_free(&push->ledger);
	pmon_mem_free(push->allocator, push->rows, push->rows_cap * sizeof(*push->rows));
	pmon_mem_free(push->allocator, push, push->engine->size);
}

static const struct pmon_sink_ops ops = {
	.needs = PMON_SINK_STARTS,
	.begin = sink_begin,
	.add = sink_add,
	.finish = sink_finish,
	.close = sink_close,
	.flush = sink_flush,
};

enum pmon_status
pmon_push_sink_open(const struct pmon_push_engine *engine, const char *url,
		    const struct pmon_push_options *options, struct pmon_sink **sink,
		    struct pmon_err *err)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct pmon_push_sink *push = pmon_mem_alloc0(allocator, engine->size);
	enum pmon_status status;

	if (push == NULL)
		return pmon_err_nomem(err);
	if (options->check != PMON_PUSH_NEW && engine->count_missing == NULL) {
		pmon_mem_free(allocator, push, engine->size);
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "this engine cannot return individual raw values, so --verify "
				    "is not supported");
	}
	if (options->retention_100ns != 0 && !engine->has_retention) {
		pmon_mem_free(allocator, push, engine->size);
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "this engine has its own setting for deleting old values; omit "
				    "--retention");
	}
	push->sink.ops = &ops;
	push->engine = engine;
	push->allocator = allocator;
	push->options = *options;
	push->keep_from = INT64_MIN;
	push->batch_rows = options->batch_rows != 0 ? options->batch_rows : engine->batch_rows;
	pmon_push_ledger_init(&push->ledger, allocator);
	status = pmon_labels_parse(options->labels, options->n_labels, &push->labels, err);
	if (status == PMON_OK)
		status = pmon_push_session_join(options->session, engine, url, &push->session, err);
	if (status == PMON_OK)
		status = engine->open(push, url, err);
	if (status != PMON_OK) {
		sink_close(&push->sink);
		return status;
	}
	*sink = &push->sink;
	return PMON_OK;
}
