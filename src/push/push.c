// push.c - find the engine for the scheme of a URL
// SPDX-License-Identifier: MIT

#include "push/push.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/options.h"
#include "base/text.h"
#include "os/clock.h"
#include "os/socket.h"

#ifdef PMON_PUSH_CLICKHOUSE
extern const struct pmon_push_engine pmon_push_clickhouse;
#endif
#ifdef PMON_PUSH_POSTGRES
extern const struct pmon_push_engine pmon_push_postgres;
#endif

#ifdef PMON_PUSH_PROMETHEUS
extern const struct pmon_push_engine pmon_push_prometheus;
extern const struct pmon_push_engine pmon_push_otlp;
#endif

static const struct pmon_push_engine *const engines[] = {
#ifdef PMON_PUSH_CLICKHOUSE
	&pmon_push_clickhouse,
#endif
#ifdef PMON_PUSH_PROMETHEUS
	&pmon_push_prometheus,
	&pmon_push_otlp,
#endif
#ifdef PMON_PUSH_POSTGRES
	&pmon_push_postgres,
#endif
	NULL, // the last
};

#define RETRY_FIRST_100NS   (PMON_TIME_PER_SEC / 2)
#define RETRY_LONGEST_100NS (30 * PMON_TIME_PER_SEC)
#define GIVE_UP_100NS       (5 * PMON_TIME_PER_MIN)
#define TIMEOUT_100NS       (2 * PMON_TIME_PER_MIN)
#define LAST_100NS          PMON_TIME_PER_SEC          // for the last attempt
#define SLICE_100NS         (100 * PMON_TIME_PER_MSEC) // between checks for cancellation

// ---- Schemes --------------------------------------------------------------------------------

const char *
pmon_push_scheme(size_t i)
{
	for (size_t e = 0; engines[e] != NULL; e++)
		for (const char *const *s = engines[e]->schemes; *s != NULL; s++)
			if (i-- == 0)
				return *s;
	return NULL;
}

static const struct pmon_push_engine *
find_engine(const char *url)
{
	for (size_t e = 0; engines[e] != NULL; e++)
		for (const char *const *s = engines[e]->schemes; *s != NULL; s++) {
			size_t len = strlen(*s);

			if (strncmp(url, *s, len) == 0 && strncmp(url + len, "://", 3) == 0)
				return engines[e];
		}
	return NULL;
}

// The URL itself is not shown, since it may contain secrets.
static enum pmon_status
unknown_scheme(struct pmon_err *err)
{
	char buf[200];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));

	if (engines[0] == NULL)
		return pmon_err_set(
			err, PMON_E_UNSUPPORTED, 0,
			"this pmon was built without libcurl and libpq: there are no engines");
	for (size_t i = 0; pmon_push_scheme(i) != NULL; i++) {
		pmon_text_str(&text, i == 0 ? "" : ", ");
		pmon_text_str(&text, pmon_push_scheme(i));
		pmon_text_str(&text, "://");
	}
	return pmon_err_set(err, PMON_E_ARG, 0, "the URL must begin with one of %s", buf);
}

// The options with the defaults filled in.
static enum pmon_status
fill(struct pmon_push_options *out, const struct pmon_push_options *options, struct pmon_err *err)
{
	enum pmon_status status = pmon_options_read(out, sizeof(*out), options, err);

	if (out->retry.first_100ns == 0)
		out->retry.first_100ns = RETRY_FIRST_100NS;
	if (out->retry.longest_100ns == 0)
		out->retry.longest_100ns = RETRY_LONGEST_100NS;
	if (out->retry.give_up_100ns == 0)
		out->retry.give_up_100ns = GIVE_UP_100NS;
	if (out->timeout_100ns == 0)
		out->timeout_100ns = TIMEOUT_100NS;
	return status;
}

enum pmon_status
pmon_push_open(const char *url, const struct pmon_push_options *options, struct pmon_sink **sink,
	       struct pmon_err *err)
{
	const struct pmon_push_engine *engine = find_engine(url);
	struct pmon_push_options all;
	enum pmon_status status = fill(&all, options, err);

	*sink = NULL;
	if (status != PMON_OK)
		return status;
	return engine != NULL ? pmon_push_sink_open(engine, url, &all, sink, err)
			      : unknown_scheme(err);
}

enum pmon_status
pmon_push_describe(const char *url, const struct pmon_push_options *options,
		   const struct pmon_schema *schema, const struct pmon_sample *sample,
		   pmon_push_text_fn out, void *ctx, struct pmon_err *err)
{
	const struct pmon_push_engine *engine = find_engine(url);
	struct pmon_push_options all;
	enum pmon_status status = fill(&all, options, err);

	if (status != PMON_OK)
		return status;
	return engine != NULL ? engine->describe(url, &all, schema, sample, out, ctx, err)
			      : unknown_scheme(err);
}

// ---- Sessions -------------------------------------------------------------------------------

struct pmon_push_session {
	const struct pmon_allocator *allocator;
	const struct pmon_push_engine *engine; // NULL: no sink has joined
	struct pmon_hash128 url;
	void *shared; // by the sinks; NULL: the engine has no shared state
};

enum pmon_status
pmon_push_session_open(const struct pmon_allocator *allocator, struct pmon_push_session **out,
		       struct pmon_err *err)
{
	struct pmon_push_session *session;

	allocator = pmon_mem_allocator(allocator);
	session = pmon_mem_alloc0(allocator, sizeof(*session));
	*out = session;
	if (session == NULL)
		return pmon_err_nomem(err);
	session->allocator = allocator;
	return PMON_OK;
}

void
pmon_push_session_close(struct pmon_push_session *session)
{
	if (session == NULL)
		return;
	if (session->shared != NULL) {
		session->engine->session_free(session->shared, session->allocator);
		pmon_mem_free(session->allocator, session->shared, session->engine->session_size);
	}
	pmon_mem_free(session->allocator, session, sizeof(*session));
}

enum pmon_status
pmon_push_session_join(struct pmon_push_session *session, const struct pmon_push_engine *engine,
		       const char *url, void **out, struct pmon_err *err)
{
	struct pmon_hash128 digest = {0};

	*out = NULL;
	if (session == NULL)
		return PMON_OK;
	pmon_push_digest_text(&digest, url);
	if (session->engine != NULL && pmon_hash128_compare(session->url, digest) != 0)
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "all pushes of a session must go to the same URL");
	if (session->shared == NULL && engine->session_size > 0) {
		session->shared = pmon_mem_alloc0(session->allocator, engine->session_size);
		if (session->shared == NULL)
			return pmon_err_nomem(err);
	}
	session->engine = engine;
	session->url = digest;
	*out = session->shared;
	return PMON_OK;
}

enum pmon_status
pmon_push_session_finish(const char *url, const struct pmon_push_options *options,
			 struct pmon_err *err)
{
	struct pmon_push_options own;
	enum pmon_status status = pmon_options_read(&own, sizeof(own), options, err);
	struct pmon_push_session *session = own.session;
	struct pmon_sink *sink;

	if (status != PMON_OK)
		return status;
	if (session == NULL)
		return pmon_err_set(err, PMON_E_ARG, 0, "options without a session");
	if (session->shared == NULL || !session->engine->session_is_open(session->shared))
		return PMON_OK;
	status = pmon_push_open(url, &own, &sink, err);
	if (status != PMON_OK)
		return status;
	status = session->engine->session_finish((struct pmon_push_sink *)sink, err);
	pmon_sink_close(sink);
	return status;
}

// The time range that both engines can handle.
#define FIRST_TIME 0
#define LAST_TIME  ((pmon_time)200000 * 24 * 60 * PMON_TIME_PER_MIN)

enum pmon_status
pmon_push_rollup(const char *url, const struct pmon_push_options *options,
		 const struct pmon_rollup_options *rollup, struct pmon_rollup_counts *counts,
		 struct pmon_err *err)
{
	const struct pmon_push_engine *engine = find_engine(url);
	struct pmon_push_options all;
	struct pmon_rollup_options hours;
	struct pmon_sink *sink;
	enum pmon_status status = fill(&all, options, err);

	*counts = (struct pmon_rollup_counts){0};
	if (status == PMON_OK)
		status = pmon_options_read(&hours, sizeof(hours), rollup, err);
	if (status != PMON_OK)
		return status;
	if (engine == NULL)
		return unknown_scheme(err);
	if (engine->rollup == NULL)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "pmon keeps rollups in ClickHouse and PostgreSQL; for "
				    "Prometheus and VictoriaMetrics, pmon rules writes recording "
				    "rules");
	if (hours.begin == PMON_TIME_NONE || hours.begin < FIRST_TIME)
		hours.begin = FIRST_TIME;
	if (hours.end == PMON_TIME_NONE || hours.end > LAST_TIME)
		hours.end = LAST_TIME;
	all.check = hours.dry_run ? PMON_PUSH_VERIFY : PMON_PUSH_NEW;
	status = pmon_push_sink_open(engine, url, &all, &sink, err);
	if (status != PMON_OK)
		return status;
	status = engine->rollup((struct pmon_push_sink *)sink, &hours, counts, err);
	pmon_sink_close(sink);
	return status;
}

struct pmon_push_counts
pmon_push_counts(const struct pmon_sink *sink)
{
	return ((const struct pmon_push_sink *)sink)->counts;
}

// ---- URLs -----------------------------------------------------------------------------------

static bool
is_plain(const char *text)
{
	for (; *text != '\0'; text++)
		if (*text <= ' ' || *text > '~')
			return false;
	return true;
}

enum pmon_status
pmon_push_url_parse(const char *url, struct pmon_push_url *out, struct pmon_err *err)
{
	const char *colon = strstr(url, "://");
	char *host;
	char *slash;

	*out = (struct pmon_push_url){.path = ""};
	if (colon == NULL || strlen(colon + 3) >= sizeof(out->text) || !is_plain(url))
		return pmon_err_set(err, PMON_E_ARG, 0, "not a URL");
	out->tls = colon - url >= 5 && strncmp(colon - 5, "https", 5) == 0;
	memcpy(out->text, colon + 3, strlen(colon + 3) + 1);
	host = out->text;
	slash = strchr(host, '/');
	if (slash != NULL) {
		*slash = '\0';
		out->path = slash + 1;
	}
	if (strchr(host, '@') != NULL)
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "the URL must not contain a user or password, which other "
				    "users could see; use --user and --password-file");
	if (*host == '\0')
		return pmon_err_set(err, PMON_E_ARG, 0, "the URL has no host");
	if (strchr(host, ',') != NULL)
		return pmon_err_set(err, PMON_E_ARG, 0, "the URL must name a single host");
	out->host = host;
	return PMON_OK;
}

bool
pmon_push_is_here(const char *host)
{
	struct pmon_ip ip;

	if (pmon_ip_parse(host, &ip))
		return ip.is_loopback;
	return strcmp(host, "localhost") == 0;
}

// ---- Words ----------------------------------------------------------------------------------

void
pmon_push_tell(const struct pmon_push_options *options, bool is_loss, const char *text)
{
	struct pmon_notice notice = {.is_loss = is_loss, .text = text};

	if (options->notice != NULL)
		options->notice(options->notice_ctx, &notice);
}

void
pmon_push_tell_count(const struct pmon_push_sink *push, bool is_loss, uint64_t n, const char *what)
{
	char buf[200];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));

	pmon_text_u64(&text, n);
	pmon_text_str(&text, what);
	if (n > 0)
		pmon_push_tell(&push->options, is_loss, buf);
}

void
pmon_push_tell_backward(const struct pmon_push_sink *push)
{
	pmon_push_tell_count(push, false, push->counts.backward,
			     push->counts.backward == 1
				     ? " sample is earlier than its predecessors in the log; the "
				       "engine stores samples in time order"
				     : " samples are earlier than their predecessors in the log; "
				       "the engine stores samples in time order");
}

// ---- Retention ------------------------------------------------------------------------------

pmon_time
pmon_push_keep_from(uint32_t days)
{
	int64_t today = pmon_os_clocks().wall / PMON_PUSH_DAY_100NS; // since 1601

	return days == 0 ? INT64_MIN : (today - (int64_t)days) * PMON_PUSH_DAY_100NS;
}

uint32_t
pmon_push_retention_days(const struct pmon_push_options *options)
{
	return options->retention_100ns == PMON_PUSH_FOREVER
		       ? 0
		       : (uint32_t)(options->retention_100ns / PMON_PUSH_DAY_100NS);
}

// ---- Bytes ----------------------------------------------------------------------------------

bool
pmon_push_room(const struct pmon_push_sink *push, struct pmon_push_bytes *bytes, size_t more)
{
	size_t need;

	return pmon_add(bytes->n, more, &need) &&
	       pmon_mem_grow(push->allocator, &bytes->list, &bytes->cap, need, 1);
}

void
pmon_push_free(const struct pmon_push_sink *push, struct pmon_push_bytes *bytes)
{
	pmon_mem_free(push->allocator, bytes->list, bytes->cap);
}

// ---- Waiting --------------------------------------------------------------------------------

bool
pmon_push_is_cancelled(const struct pmon_push_options *options)
{
	return options->cancel != NULL && options->cancel(options->cancel_ctx);
}

// Wait in slices, so that the user can cancel at any time.
static bool
wait(const struct pmon_push_options *options, int64_t length_100ns)
{
	int64_t end = pmon_os_monotonic_100ns() + length_100ns;
	int64_t left;

	while ((left = end - pmon_os_monotonic_100ns()) > 0) {
		if (pmon_push_is_cancelled(options))
			return false;
		pmon_os_sleep(left < SLICE_100NS ? left : SLICE_100NS);
	}
	return !pmon_push_is_cancelled(options);
}

// Wait between half and all of the planned time, so that clients that failed together do not retry together.
static int64_t
with_jitter(struct pmon_push_retry *retry)
{
	retry->random ^= (uint64_t)pmon_os_monotonic_100ns();
	retry->random = (retry->random | 1) * UINT64_C(0x9E3779B97F4A7C15);
	return retry->wait_100ns / 2 +
	       (int64_t)((retry->random >> 33) % (uint64_t)(retry->wait_100ns / 2 + 1));
}

static void
tell_attempt(const struct pmon_push_options *options, int64_t wait_100ns, const char *why)
{
	char buf[400];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));

	pmon_text_str(&text, why);
	pmon_text_str(&text, "; retrying in ");
	pmon_text_double(&text, (double)(wait_100ns / (PMON_TIME_PER_SEC / 10)) / 10);
	pmon_text_str(&text, " s");
	pmon_push_tell(options, false, buf);
}

int64_t
pmon_push_retry_limit(struct pmon_push_retry *retry, const struct pmon_push_options *options)
{
	int64_t now = pmon_os_monotonic_100ns();
	int64_t left;

	if (retry->since_100ns == 0)
		retry->since_100ns = now;
	left = retry->since_100ns + options->retry.give_up_100ns - now;
	if (left < LAST_100NS)
		left = LAST_100NS;
	return left < options->timeout_100ns ? left : options->timeout_100ns;
}

// The last attempt begins while there is time left for it.
bool
pmon_push_retry_wait(struct pmon_push_retry *retry, const struct pmon_push_options *options,
		     struct pmon_err *err)
{
	int64_t now = pmon_os_monotonic_100ns();
	int64_t length;
	int64_t left;

	retry->wait_100ns =
		retry->wait_100ns == 0 ? options->retry.first_100ns : 2 * retry->wait_100ns;
	if (retry->wait_100ns > options->retry.longest_100ns)
		retry->wait_100ns = options->retry.longest_100ns;
	left = retry->since_100ns + options->retry.give_up_100ns - now;
	if (left <= 0 || retry->is_last)
		return false;
	if (retry->asked_100ns > left || retry->asked_100ns == 0)
		left -= left / 2 < LAST_100NS ? left / 2 : LAST_100NS;
	length = with_jitter(retry);
	if (length < retry->asked_100ns)
		length = retry->asked_100ns;
	retry->is_last = length >= left;
	if (retry->is_last)
		length = left;
	tell_attempt(options, length, err->msg);
	if (wait(options, length))
		return true;
	(void)pmon_err_set(err, PMON_E_STATE, 0, "interrupted");
	return false;
}
