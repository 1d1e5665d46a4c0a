// libpq.h - the calls of libpq
// SPDX-License-Identifier: MIT

#ifndef PMON_PUSH_POSTGRES_LIBPQ_H
#define PMON_PUSH_POSTGRES_LIBPQ_H

#include <libpq-fe.h>

#include "os/library.h"

// clang-format off
#define PQ_CALLS(CALL)                                                                             \
	CALL(PQ, clear) CALL(PQ, cmdTuples) CALL(PQ, connectPoll)                                  \
	CALL(PQ, connectStartParams) CALL(PQ, conninfoFree) CALL(PQ, conninfoParse)                \
	CALL(PQ, consumeInput) CALL(PQ, errorMessage) CALL(PQ, finish) CALL(PQ, flush)             \
	CALL(PQ, freemem) CALL(PQ, getResult) CALL(PQ, getisnull) CALL(PQ, getlength)              \
	CALL(PQ, getvalue) CALL(PQ, isBusy) CALL(PQ, ntuples) CALL(PQ, putCopyData)                \
	CALL(PQ, putCopyEnd) CALL(PQ, resultErrorMessage) CALL(PQ, resultStatus)                   \
	CALL(PQ, sendQuery) CALL(PQ, setErrorVerbosity) CALL(PQ, setNoticeProcessor)               \
	CALL(PQ, setnonblocking) CALL(PQ, socket) CALL(PQ, status)
// clang-format on

struct pq_calls {
	PQ_CALLS(PMON_OS_CALL)
};

#endif
