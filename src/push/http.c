// http.c - HTTP requests with retries
// SPDX-License-Identifier: MIT

#include "push/http.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <curl/curl.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/time.h"
#include "os/library.h"
#include "os/pack.h"
#include "push/headers.h"

#define ANSWER_MAX      ((size_t)64 << 10)
#define WORDS_MAX       200 // bytes of a server's answer to report
#define CONNECT_SECONDS 10L
#define ASKED_SECONDS   3600 // limit of a wait that a server requests
#define PACKED_MIN      500  // smallest body that is compressed
#define TARGET_SIZE     (PMON_PUSH_URL_SIZE + 16)

// clang-format off
#define CURL_CALLS(CALL)                                                                           \
	CALL(curl_, easy_cleanup) CALL(curl_, easy_escape) CALL(curl_, easy_getinfo)               \
	CALL(curl_, easy_init) CALL(curl_, easy_perform) CALL(curl_, easy_setopt)                  \
	CALL(curl_, easy_strerror) CALL(curl_, free) CALL(curl_, getdate) CALL(curl_, slist_append)                     \
	CALL(curl_, slist_free_all)
// clang-format on

struct curl_calls {
	CURL_CALLS(PMON_OS_CALL)
};

struct pmon_http {
	const struct pmon_allocator *allocator;
	const struct pmon_push_url *url;
	const struct pmon_push_options *options;
	struct pmon_push_counts *counts;
	struct curl_calls calls;
	CURL *curl;
	char *answer;
	size_t answer_len;
	size_t answer_cap;
	size_t answer_max;
	char *packed; // the body of a request, compressed
	size_t packed_cap;
	bool takes_no_packed; // a server refused a compressed body
	bool is_once;         // the current request
	bool is_too_long;
	bool is_short;       // out of memory for the answer
	int64_t asked_100ns; // wait requested by the last answer
	pmon_time date;      // of the last answer
	char words[CURL_ERROR_SIZE];
};

// ---- What libcurl calls ---------------------------------------------------------------------

static size_t
take_answer(char *bytes, size_t size, size_t n, void *ctx)
{
	struct pmon_http *http = ctx;

	n *= size;
	if (n > http->answer_max - http->answer_len) {
		http->is_too_long = true;
		return 0;
	}
	if (!pmon_mem_grow(http->allocator, &http->answer, &http->answer_cap, http->answer_len + n,
			   1)) {
		http->is_short = true;
		return 0;
	}
	memcpy(http->answer + http->answer_len, bytes, n);
	http->answer_len += n;
	return n;
}

// RFC 9110, 6.6.1.
static size_t
take_header(char *bytes, size_t size, size_t n, void *ctx)
{
	struct pmon_http *http = ctx;
	char text[64];
	time_t seconds;

	if (n <= 5 || n - 5 >= sizeof(text) || strncasecmp(bytes, "date:", 5) != 0)
		return size * n;
	memcpy(text, bytes + 5, n - 5);
	text[n - 5] = '\0';
	seconds = http->calls.getdate(text, NULL);
	if (seconds >= 0 && (int64_t)seconds < UINT32_MAX)
		http->date = PMON_TIME_EARLIEST + (int64_t)seconds * PMON_TIME_PER_SEC;
	return size * n;
}

static int
ask_for_end(void *ctx, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	const struct pmon_http *http = ctx;

	(void)a, (void)b, (void)c, (void)d;
	return !http->is_once && pmon_push_is_cancelled(http->options);
}

// ---- Opening --------------------------------------------------------------------------------

static void
set_text(struct pmon_http *http, CURLoption option, const char *text)
{
	if (text != NULL)
		(void)http->calls.easy_setopt(http->curl, option, text);
}

// Options for every request. Proxies in the environment are ignored.
static void
set_up(struct pmon_http *http)
{
	const struct pmon_push_options *options = http->options;
	__typeof__(http->calls.easy_setopt) set = http->calls.easy_setopt;
	CURL *curl = http->curl;

	(void)set(curl, CURLOPT_PROTOCOLS_STR, http->url->tls ? "https" : "http");
	(void)set(curl, CURLOPT_NOSIGNAL, 1L);
	(void)set(curl, CURLOPT_PROXY, "");
	(void)set(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
	(void)set(curl, CURLOPT_ERRORBUFFER, http->words);
	(void)set(curl, CURLOPT_WRITEFUNCTION, take_answer);
	(void)set(curl, CURLOPT_WRITEDATA, http);
	(void)set(curl, CURLOPT_HEADERFUNCTION, take_header);
	(void)set(curl, CURLOPT_HEADERDATA, http);
	(void)set(curl, CURLOPT_XFERINFOFUNCTION, ask_for_end);
	(void)set(curl, CURLOPT_XFERINFODATA, http);
	(void)set(curl, CURLOPT_NOPROGRESS, 0L);
	set_text(http, CURLOPT_CAINFO, options->ca_file);
	if (options->token != NULL) {
		(void)set(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
		set_text(http, CURLOPT_XOAUTH2_BEARER, options->token);
	} else if (options->user != NULL) {
		(void)set(curl, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
		set_text(http, CURLOPT_USERNAME, options->user);
		set_text(http, CURLOPT_PASSWORD,
			 options->password != NULL ? options->password : "");
	}
}

// Is a host such as "localhost:8123" or "[::1]:8123" this machine?
static bool
is_this_machine(const char *host)
{
	bool has_brackets = host[0] == '[';
	size_t len;
	char name[64];

	host += has_brackets;
	len = strcspn(host, has_brackets ? "]" : ":");
	if (len >= sizeof(name))
		return false;
	memcpy(name, host, len);
	name[len] = '\0';
	return pmon_push_is_here(name);
}

static bool
has_secret_header(const struct pmon_push_options *options)
{
	for (const char *const *h = options->headers; h != NULL && *h != NULL; h++)
		if (pmon_push_header_is_secret(*h))
			return true;
	return false;
}

// PMON_E_ARG: a secret would go to another machine unencrypted.
static enum pmon_status
check_secrets(const struct pmon_push_url *url, const struct pmon_push_options *options,
	      struct pmon_err *err)
{
	const char *what = options->token != NULL                               ? "token"
			   : options->user != NULL && options->password != NULL ? "password"
			   : has_secret_header(options)                         ? "header"
										: NULL;

	if (what == NULL || url->tls || options->insecure || is_this_machine(url->host))
		return PMON_OK;
	return pmon_err_set(err, PMON_E_ARG, 0,
			    "the %s would go to %s unencrypted: use https, or allow it with "
			    "--insecure",
			    what, url->host);
}

enum pmon_status
pmon_http_open(const struct pmon_push_url *url, struct pmon_push_sink *push, struct pmon_http **out,
	       struct pmon_err *err)
{
	enum pmon_status status = pmon_push_headers_check(&push->options, err);
	struct pmon_http *http;

	*out = NULL;
	if (status == PMON_OK)
		status = check_secrets(url, &push->options, err);
	if (status != PMON_OK)
		return status;
	http = pmon_mem_alloc0(push->allocator, sizeof(*http));
	if (http == NULL)
		return pmon_err_nomem(err);
	http->allocator = push->allocator;
	http->url = url;
	http->options = &push->options;
	http->counts = &push->counts;
	status = PMON_OS_LOAD(PMON_LIBRARY_CURL, CURL_CALLS, &http->calls, err);
	if (status == PMON_OK && (http->curl = http->calls.easy_init()) == NULL)
		status = pmon_err_nomem(err);
	if (status != PMON_OK) {
		pmon_http_close(http);
		return status;
	}
	set_up(http);
	*out = http;
	return PMON_OK;
}

void
pmon_http_close(struct pmon_http *http)
{
	if (http == NULL)
		return;
	if (http->curl != NULL)
		http->calls.easy_cleanup(http->curl);
	pmon_mem_free(http->allocator, http->answer, http->answer_cap);
	pmon_mem_free(http->allocator, http->packed, http->packed_cap);
	pmon_mem_free(http->allocator, http, sizeof(*http));
}

// ---- Asking ---------------------------------------------------------------------------------

static enum pmon_status
set_target(struct pmon_http *http, const struct pmon_http_request *request, struct pmon_err *err)
{
	size_t size = strlen(request->target) + TARGET_SIZE;
	char *target = pmon_mem_alloc(http->allocator, size);
	CURLcode code;

	if (target == NULL)
		return pmon_err_nomem(err);
	(void)snprintf(target, size, "%s://%s%s", http->url->tls ? "https" : "http",
		       http->url->host, request->target);
	code = http->calls.easy_setopt(http->curl, CURLOPT_URL, target);
	pmon_mem_free(http->allocator, target, size);
	return code == CURLE_OK ? PMON_OK : pmon_err_nomem(err);
}

static void
set_body(struct pmon_http *http, const struct pmon_http_request *request)
{
	if (request->body == NULL) {
		(void)http->calls.easy_setopt(http->curl, CURLOPT_HTTPGET, 1L);
		return;
	}
	(void)http->calls.easy_setopt(http->curl, CURLOPT_POST, 1L);
	(void)http->calls.easy_setopt(http->curl, CURLOPT_POSTFIELDS, request->body);
	(void)http->calls.easy_setopt(http->curl, CURLOPT_POSTFIELDSIZE_LARGE,
				      (curl_off_t)request->body_len);
}

// Append headers; the list becomes NULL if memory is short.
static void
append(struct pmon_http *http, const char *const *headers, struct curl_slist **list)
{
	for (; *list != NULL && headers != NULL && *headers != NULL; headers++) {
		struct curl_slist *longer = http->calls.slist_append(*list, *headers);

		if (longer == NULL)
			http->calls.slist_free_all(*list);
		*list = longer;
	}
}

// The headers of a request. The empty "Expect:" disables 100-continue: the body is sent at once.
static bool
set_headers(struct pmon_http *http, const struct pmon_http_request *request,
	    struct curl_slist **list)
{
	*list = http->calls.slist_append(NULL, "Expect:");
	append(http, request->headers, list);
	append(http, http->options->headers, list);
	(void)http->calls.easy_setopt(http->curl, CURLOPT_HTTPHEADER, *list);
	return *list != NULL;
}

// Did the server answer a TLS handshake in plain text? Matches messages of OpenSSL and GnuTLS. Other
// handshake failures may be temporary, such as a broken connection.
static bool
is_plain(CURLcode code, const char *words)
{
	return code == CURLE_SSL_CONNECT_ERROR && (strstr(words, "wrong version number") != NULL ||
						   strstr(words, "unexpected TLS packet") != NULL);
}

// Map a libcurl error to a status.
static enum pmon_status
fault(struct pmon_http *http, CURLcode code, struct pmon_err *err)
{
	const char *words = http->words[0] != '\0' ? http->words : http->calls.easy_strerror(code);

	if (code == CURLE_OUT_OF_MEMORY || http->is_short)
		return pmon_err_nomem(err);
	if (http->is_too_long)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "the response of %s is too long",
				    http->url->host);
	if (code == CURLE_ABORTED_BY_CALLBACK)
		return pmon_err_set(err, PMON_E_STATE, 0, "interrupted");
	if (is_plain(code, words))
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "%s does not use TLS; should its URL begin with ...+http://?",
				    http->url->host);
	if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE ||
	    code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_URL_MALFORMAT)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0, "%s: %s", http->url->host, words);
	return pmon_err_set(err, PMON_E_IO, 0, "%s: %s", http->url->host, words);
}

static bool
may_pass(const struct pmon_http *http, const struct pmon_http_request *request, long code)
{
	if (request->may_pass != NULL)
		return request->may_pass(code, (struct pmon_span){http->answer, http->answer_len});
	return code == 429 || code == 408 || code >= 500;
}

// Report an unsuccessful answer with its first words.
static enum pmon_status
refusal(struct pmon_http *http, const struct pmon_http_request *request, long code,
	struct pmon_err *err)
{
	struct pmon_span words = {http->answer, http->answer_len};
	enum pmon_status status = may_pass(http, request, code) ? PMON_E_IO : PMON_E_FORMAT;
	int len;

	if (request->words != NULL)
		words = request->words(words);
	len = (int)(words.len < WORDS_MAX ? words.len : WORDS_MAX);
	while (len > 0 && (words.ptr[len - 1] == '\n' || words.ptr[len - 1] == ' '))
		len--;
	return pmon_err_set(err, status, 0, "%s answers %ld%s%.*s", http->url->host, code,
			    len > 0 ? ": " : "", len, len > 0 ? words.ptr : "");
}

static enum pmon_status
perform(struct pmon_http *http, const struct pmon_http_request *request, struct pmon_err *err)
{
	long code = 0;
	curl_off_t seconds = 0;
	CURLcode result;

	http->answer_len = 0;
	http->is_too_long = http->is_short = false;
	http->asked_100ns = 0;
	http->date = PMON_TIME_NONE;
	http->words[0] = '\0';
	result = http->calls.easy_perform(http->curl);
	if (result != CURLE_OK)
		return fault(http, result, err);
	(void)http->calls.easy_getinfo(http->curl, CURLINFO_RESPONSE_CODE, &code);
	(void)http->calls.easy_getinfo(http->curl, CURLINFO_RETRY_AFTER, &seconds);
	if (seconds > 0)
		http->asked_100ns =
			(seconds < ASKED_SECONDS ? seconds : ASKED_SECONDS) * PMON_TIME_PER_SEC;
	return code >= 200 && code < 300 ? PMON_OK : refusal(http, request, code, err);
}

// How long the server may be silent.
static void
set_limit(struct pmon_http *http, int64_t limit_100ns)
{
	long s = (long)((limit_100ns + PMON_TIME_PER_SEC - 1) / PMON_TIME_PER_SEC);

	(void)http->calls.easy_setopt(http->curl, CURLOPT_LOW_SPEED_TIME, s);
	(void)http->calls.easy_setopt(http->curl, CURLOPT_CONNECTTIMEOUT,
				      s < CONNECT_SECONDS ? s : CONNECT_SECONDS);
}

static enum pmon_status
ask_once(struct pmon_http *http, const struct pmon_http_request *request, int64_t limit_100ns,
	 struct pmon_err *err)
{
	struct curl_slist *headers = NULL;
	enum pmon_status status = set_target(http, request, err);

	http->answer_max = request->answer_max != 0 ? request->answer_max : ANSWER_MAX;
	http->is_once = request->is_once;
	if (status != PMON_OK)
		return status;
	if (!set_headers(http, request, &headers))
		return pmon_err_nomem(err);
	set_body(http, request);
	set_limit(http, limit_100ns);
	status = perform(http, request, err);
	(void)http->calls.easy_setopt(http->curl, CURLOPT_HTTPHEADER, NULL);
	http->calls.slist_free_all(headers);
	return status;
}

static enum pmon_status
ask_until_answered(struct pmon_http *http, const struct pmon_http_request *request,
		   struct pmon_span *answer, struct pmon_err *err)
{
	struct pmon_push_retry retry = {.random = (uintptr_t)http};
	struct pmon_err why = {.status = PMON_OK};
	enum pmon_status status;

	if (request->is_once)
		return ask_once(http, request, PMON_TIME_PER_SEC, err);
	while ((status = ask_once(http, request, pmon_push_retry_limit(&retry, http->options),
				  &why)) == PMON_E_IO) {
		retry.asked_100ns = http->asked_100ns;
		if (!pmon_push_retry_wait(&retry, http->options, &why))
			break;
		http->counts->retries++;
	}
	if (status != PMON_OK)
		return pmon_err_set(err, why.status, 0, "%s", why.msg);
	http->counts->bytes += request->body_len;
	if (answer != NULL)
		*answer = (struct pmon_span){http->answer, http->answer_len};
	return PMON_OK;
}

static bool
is_to_be_packed(const struct pmon_http *http, const struct pmon_http_request *request)
{
	return request->may_pack && !http->takes_no_packed && request->headers == NULL &&
	       request->body_len >= PACKED_MIN && pmon_pack_bound(request->body_len) > 0;
}

// Send the request with its body compressed, unless that is not shorter.
static enum pmon_status
pack(struct pmon_http *http, const struct pmon_http_request *request, struct pmon_http_request *out,
     struct pmon_err *err)
{
	static const char *const headers[] = {"Content-Encoding: zstd", NULL};
	size_t room = pmon_pack_bound(request->body_len);
	size_t len;

	*out = *request;
	if (!pmon_mem_grow(http->allocator, &http->packed, &http->packed_cap, room, 1))
		return pmon_err_nomem(err);
	len = pmon_pack(request->body, request->body_len, http->packed, room);
	if (len == 0 || len >= request->body_len)
		return PMON_OK;
	out->headers = headers;
	out->body = http->packed;
	out->body_len = len;
	return PMON_OK;
}

// A proxy in front of the server may refuse compressed bodies; then they are sent uncompressed.
enum pmon_status
pmon_http_ask(struct pmon_http *http, const struct pmon_http_request *request,
	      struct pmon_span *answer, struct pmon_err *err)
{
	struct pmon_http_request packed;
	enum pmon_status status;

	if (!is_to_be_packed(http, request))
		return ask_until_answered(http, request, answer, err);
	status = pack(http, request, &packed, err);
	if (status == PMON_OK)
		status = ask_until_answered(http, &packed, answer, err);
	if (status != PMON_E_FORMAT || packed.headers == NULL)
		return status;
	http->takes_no_packed = true;
	return ask_until_answered(http, request, answer, err);
}

static bool
never_passes(long code, struct pmon_span answer)
{
	(void)code, (void)answer;
	return false;
}

// Whatever is at "/", its answer has a date.
enum pmon_status
pmon_http_clock(struct pmon_http *http, pmon_time *now, struct pmon_err *err)
{
	struct pmon_http_request request = {.target = "/", .may_pass = never_passes};
	enum pmon_status status = pmon_http_ask(http, &request, NULL, err);

	*now = http->date;
	return status == PMON_E_FORMAT || status == PMON_E_LIMIT ? PMON_OK : status;
}

char *
pmon_http_escape(struct pmon_http *http, struct pmon_span text)
{
	return http->calls.easy_escape(http->curl, text.ptr, (int)text.len);
}

void
pmon_http_escape_free(const struct pmon_http *http, char *escaped)
{
	http->calls.free(escaped);
}
