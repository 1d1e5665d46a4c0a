// pipe.h - a thread between the reader of samples and their sink
// SPDX-License-Identifier: MIT
//
// Samples are copied into one of a few batches. While the pipe's thread passes a full batch to the
// sink, sample by sample and in order, the next batch fills. So reading and computing overlap with
// formatting and writing, but only one thread at a time calls the sink.

#ifndef PMON_QUERY_PIPE_H
#define PMON_QUERY_PIPE_H

#include <pmon/sink.h>

struct pmon_pipe;

// Open a pipe to a sink that has begun. Until the pipe ends, only the pipe may call the sink, and
// what the sink was begun with must not change. PMON_E_STATE if no thread can be created;
// PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_pipe_open(struct pmon_sink *sink,
					       const struct pmon_allocator *allocator,
					       struct pmon_pipe **out, struct pmon_err *err);

// Like pmon_sink_add(), but a later call or pmon_pipe_end() returns the sink's failure.
PMON_NODISCARD enum pmon_status pmon_pipe_put(struct pmon_pipe *pipe,
					      const struct pmon_sample *sample,
					      const struct pmon_value *values,
					      struct pmon_err *err);

// Wait until the sink has processed all samples.
PMON_NODISCARD enum pmon_status pmon_pipe_end(struct pmon_pipe *pipe, struct pmon_err *err);

// Wait for the sink, then free the pipe. NULL is fine.
void pmon_pipe_close(struct pmon_pipe *pipe);

#endif
