// pipe.h - a thread between the reader of samples and their sink
// SPDX-License-Identifier: MIT
//
// What is put into a pipe is copied into one of a few batches; when that is full the thread of the pipe
// hands it on to the sink, sample by sample and in order, while the next one is filled. So reading and
// computing go on beside formatting and writing, and the sink still is called by one thread at a time.

#ifndef PMON_QUERY_PIPE_H
#define PMON_QUERY_PIPE_H

#include <pmon/sink.h>

struct pmon_pipe;

// A pipe to a sink that has begun. Until the pipe has ended the sink is called by the pipe alone, and what
// it was begun with must not change. PMON_E_STATE when there can be no thread; PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_pipe_open(struct pmon_sink *sink,
					       const struct pmon_allocator *allocator,
					       struct pmon_pipe **out, struct pmon_err *err);

// As pmon_sink_add(). A failure of the sink is returned by a later call, or by pmon_pipe_end().
PMON_NODISCARD enum pmon_status pmon_pipe_put(struct pmon_pipe *pipe,
					      const struct pmon_sample *sample,
					      const struct pmon_value *values,
					      struct pmon_err *err);

// All was put: wait until the sink has taken it.
PMON_NODISCARD enum pmon_status pmon_pipe_end(struct pmon_pipe *pipe, struct pmon_err *err);

// Free, when the sink has taken what was put. NULL is fine.
void pmon_pipe_close(struct pmon_pipe *pipe);

#endif
