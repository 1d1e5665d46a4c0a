// pipe.c - a thread between the reader of samples and their sink
// SPDX-License-Identifier: MIT

#include "query/pipe.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/sink.h"
#include "os/threads.h"

#define N_BATCHES   4
#define BATCH_BYTES ((size_t)256 << 10) // a batch of this size goes to the sink

// Consecutive samples: each is a header with raw values, displayed values and series.
struct batch {
	uint8_t *bytes;
	size_t used;
	size_t cap;
};

struct head {
	struct pmon_sample sample; // pointers are set when it is read
	size_t size_bytes;         // to the next head
	bool has_raw;
	bool has_values;
};

// The batches form a ring: full batches belong to the thread, the others to the caller. A side
// without a batch waits.
struct pmon_pipe {
	const struct pmon_allocator *allocator;
	struct pmon_sink *sink;
	struct pmon_thread thread;
	struct batch batches[N_BATCHES];
	struct batch *filling; // the caller's batch being filled; NULL: none yet
	bool is_joined;

	struct pmon_lock lock;
	struct pmon_condition
		moved; // a batch changed hands, or the end came: both sides wait for it
	uint64_t n_put;
	uint64_t n_taken;
	bool is_ended;           // no more batches will be put
	enum pmon_status status; // of the sink, and
	struct pmon_err err;     // ... its error
};

// ---- Packing --------------------------------------------------------------------------------

static void *
append(uint8_t **at, const void *from, size_t len)
{
	void *to = *at;

	if (len > 0)
		memcpy(to, from, len);
	*at += len;
	return to;
}

static bool
pack(const struct pmon_pipe *pipe, struct batch *batch, const struct pmon_sample *sample,
     const struct pmon_value *values)
{
	size_t n = sample->n;
	bool has_raw = !pipe->sink->ops->values_suffice;
	struct head head = {.sample = *sample, .has_raw = has_raw, .has_values = values != NULL};
	uint8_t *at;

	head.size_bytes = sizeof(head) + (has_raw ? n * sizeof(*sample->raw) : 0) +
			  (values != NULL ? n * sizeof(*values) : 0) +
			  (n + n % 2) * sizeof(*sample->series);
	if (!pmon_mem_grow(pipe->allocator, &batch->bytes, &batch->cap,
			   batch->used + head.size_bytes, 1))
		return false;
	at = batch->bytes + batch->used;
	batch->used += head.size_bytes;
	(void)append(&at, &head, sizeof(head));
	if (has_raw)
		(void)append(&at, sample->raw, n * sizeof(*sample->raw));
	if (values != NULL)
		(void)append(&at, values, n * sizeof(*values));
	(void)append(&at, sample->series, n * sizeof(*sample->series));
	return true;
}

// The sample at this offset of a batch, and its values.
static const struct head *
unpack(uint8_t *at, const struct pmon_value **values)
{
	struct head *head = (struct head *)at;
	struct pmon_sample *sample = &head->sample;

	at += sizeof(*head);
	sample->raw = head->has_raw ? (const struct pmon_raw *)at : NULL;
	at += head->has_raw ? sample->n * sizeof(*sample->raw) : 0;
	*values = head->has_values ? (const struct pmon_value *)at : NULL;
	at += head->has_values ? sample->n * sizeof(**values) : 0;
	sample->series = (const uint32_t *)at;
	return head;
}

// ---- The thread -----------------------------------------------------------------------------

static enum pmon_status
add_batch(struct pmon_pipe *pipe, const struct batch *batch, struct pmon_err *err)
{
	const struct head *head;
	enum pmon_status status = PMON_OK;

	for (size_t at = 0; at < batch->used && status == PMON_OK; at += head->size_bytes) {
		const struct pmon_value *values;

		head = unpack(batch->bytes + at, &values);
		status = pmon_sink_add(pipe->sink, &head->sample, values, err);
	}
	return status;
}

// The next full batch; NULL at the end and after a failure.
static struct batch *
wait_for_batch(struct pmon_pipe *pipe)
{
	struct batch *batch = NULL;

	pmon_lock_take(&pipe->lock);
	while (pipe->n_put == pipe->n_taken && !pipe->is_ended)
		pmon_condition_wait(&pipe->moved, &pipe->lock);
	if (pipe->n_put > pipe->n_taken && pipe->status == PMON_OK)
		batch = &pipe->batches[pipe->n_taken % N_BATCHES];
	pmon_lock_give(&pipe->lock);
	return batch;
}

static void
run_sink(void *ctx)
{
	struct pmon_pipe *pipe = ctx;
	const struct batch *batch;

	while ((batch = wait_for_batch(pipe)) != NULL) {
		struct pmon_err err = {.status = PMON_OK};
		enum pmon_status status = add_batch(pipe, batch, &err);

		pmon_lock_take(&pipe->lock);
		pipe->n_taken++;
		pipe->status = status;
		pipe->err = err;
		pmon_condition_wake(&pipe->moved);
		pmon_lock_give(&pipe->lock);
	}
}

// ---- The caller -----------------------------------------------------------------------------

static enum pmon_status
failure(const struct pmon_pipe *pipe, enum pmon_status status, struct pmon_err *err)
{
	if (status != PMON_OK && err != NULL)
		*err = pipe->err;
	return status;
}

// A batch to fill.
static enum pmon_status
wait_for_room(struct pmon_pipe *pipe, struct pmon_err *err)
{
	enum pmon_status status;

	pmon_lock_take(&pipe->lock);
	while (pipe->n_put - pipe->n_taken == N_BATCHES && pipe->status == PMON_OK)
		pmon_condition_wait(&pipe->moved, &pipe->lock);
	status = failure(pipe, pipe->status, err);
	pmon_lock_give(&pipe->lock);
	if (status == PMON_OK) {
		pipe->filling = &pipe->batches[pipe->n_put % N_BATCHES];
		pipe->filling->used = 0;
	}
	return status;
}

static void
hand_over(struct pmon_pipe *pipe, bool is_ended)
{
	pmon_lock_take(&pipe->lock);
	pipe->n_put += pipe->filling != NULL;
	pipe->is_ended = is_ended;
	pmon_condition_wake(&pipe->moved);
	pmon_lock_give(&pipe->lock);
	pipe->filling = NULL;
}

enum pmon_status
pmon_pipe_put(struct pmon_pipe *pipe, const struct pmon_sample *sample,
	      const struct pmon_value *values, struct pmon_err *err)
{
	enum pmon_status status = pipe->filling == NULL ? wait_for_room(pipe, err) : PMON_OK;

	if (status != PMON_OK)
		return status;
	if (!pack(pipe, pipe->filling, sample, values))
		return pmon_err_nomem(err);
	if (pipe->filling->used >= BATCH_BYTES)
		hand_over(pipe, false);
	return PMON_OK;
}

// The thread ends after the last batch.
static void
join(struct pmon_pipe *pipe)
{
	if (pipe->is_joined)
		return;
	hand_over(pipe, true);
	pmon_thread_join(&pipe->thread);
	pipe->is_joined = true;
}

enum pmon_status
pmon_pipe_end(struct pmon_pipe *pipe, struct pmon_err *err)
{
	join(pipe);
	return failure(pipe, pipe->status, err);
}

void
pmon_pipe_close(struct pmon_pipe *pipe)
{
	if (pipe == NULL)
		return;
	join(pipe);
	for (size_t i = 0; i < N_BATCHES; i++)
		pmon_mem_free(pipe->allocator, pipe->batches[i].bytes, pipe->batches[i].cap);
	pmon_condition_destroy(&pipe->moved);
	pmon_lock_destroy(&pipe->lock);
	pmon_mem_free(pipe->allocator, pipe, sizeof(*pipe));
}

// Create the lock, the condition and the thread: all or none.
static bool
begin_thread(struct pmon_pipe *pipe)
{
	if (!pmon_lock_init(&pipe->lock))
		return false;
	if (pmon_condition_init(&pipe->moved)) {
		if (pmon_thread_begin(&pipe->thread, run_sink, pipe))
			return true;
		pmon_condition_destroy(&pipe->moved);
	}
	pmon_lock_destroy(&pipe->lock);
	return false;
}

enum pmon_status
pmon_pipe_open(struct pmon_sink *sink, const struct pmon_allocator *allocator,
	       struct pmon_pipe **out, struct pmon_err *err)
{
	struct pmon_pipe *pipe;

	allocator = pmon_mem_allocator(allocator);
	*out = NULL;
	pipe = pmon_mem_alloc0(allocator, sizeof(*pipe));
	if (pipe == NULL)
		return pmon_err_nomem(err);
	pipe->allocator = allocator;
	pipe->sink = sink;
	if (begin_thread(pipe)) {
		*out = pipe;
		return PMON_OK;
	}
	pmon_mem_free(allocator, pipe, sizeof(*pipe));
	return pmon_err_set(err, PMON_E_STATE, 0, "cannot start a thread");
}
