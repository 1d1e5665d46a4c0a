// push.h - what an engine has to provide, and what engines share
// SPDX-License-Identifier: MIT

#ifndef PMON_PUSH_PUSH_H
#define PMON_PUSH_PUSH_H

#include <pmon/push.h>

#include "model/sink.h"

// What every engine's sink begins with; the engine keeps the counts current.
struct pmon_push_sink {
	struct pmon_sink sink; // first
	struct pmon_push_options options;
	struct pmon_push_counts counts;
};

// An engine. All texts are static. options are never NULL, and have their defaults filled in.
struct pmon_push_engine {
	const char *const *schemes; // NULL behind the last
	enum pmon_status (*open)(const char *url, const struct pmon_push_options *options,
				 struct pmon_sink **sink, struct pmon_err *err);
	enum pmon_status (*describe)(const char *url, const struct pmon_push_options *options,
				     const struct pmon_schema *schema,
				     const struct pmon_sample *sample, pmon_push_text_fn out,
				     void *ctx, struct pmon_err *err);
};

// ---- URLs -----------------------------------------------------------------------------------

#define PMON_PUSH_URL_SIZE 1024
#define PMON_PUSH_HOSTS    64

// "clickhouse+https://a:8443,b:8443/perf" in its parts; texts point into `text`.
struct pmon_push_url {
	char text[PMON_PUSH_URL_SIZE];
	bool tls;                           // the scheme ends with "https"
	const char *hosts[PMON_PUSH_HOSTS]; // "a:8443"
	size_t n_hosts;
	const char *path; // behind the '/', "" when there is none
};

// PMON_E_ARG: no URL, too long, or it names a user: that is for the options.
PMON_NODISCARD enum pmon_status pmon_push_url_parse(const char *url, struct pmon_push_url *out,
						    struct pmon_err *err);

// ---- Words ----------------------------------------------------------------------------------

// Tell the user something. is_loss: data did not get through.
void pmon_push_tell(const struct pmon_push_options *options, bool is_loss, const char *text);

// At the end: tell what was left out and what stands in another order, if anything.
void pmon_push_tell_oddities(const struct pmon_push_sink *sink);

// ---- Waiting --------------------------------------------------------------------------------

// A row of attempts at one thing. Zeros to begin with.
struct pmon_push_retry {
	int64_t since_100ns; // the first attempt failed, on the monotonic clock; 0: none has
	int64_t wait_100ns;  // before the next
	uint64_t random;
};

// An attempt has failed: tell why, and wait. True when it should be made again; false, with *err as
// it was, when it is time to give up; and with PMON_E_STATE in it when the user wants an end.
bool pmon_push_retry_wait(struct pmon_push_retry *retry, const struct pmon_push_options *options,
			  struct pmon_err *err);

// Does the user want an end?
bool pmon_push_is_cancelled(const struct pmon_push_options *options);

#endif
