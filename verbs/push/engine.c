// engine.c - the engine on a command line, and how to connect to it
// SPDX-License-Identifier: MIT

#include "verbs/push/engine.h"

#include <stdlib.h>
#include <string.h>

#include "shell/args/args.h"
#include "shell/args/suggest.h"
#include "shell/args/textfile.h"
#include "shell/input/live.h"
#include "shell/output/say.h"

// ---- URLs -----------------------------------------------------------------------------------

// Guess the scheme that a word was meant to be: one that it begins, or a similar one. NULL if there
// is none.
static const char *
nearest_scheme(struct pmon_span word)
{
	const char *best = NULL;
	size_t best_distance = 4;
	const char *scheme;

	for (size_t i = 0; (scheme = pmon_push_scheme(i)) != NULL; i++) {
		struct pmon_span whole = {scheme, strlen(scheme)};
		struct pmon_span engine = {scheme, strcspn(scheme, "+")};
		size_t distance = suggest_distance(word, whole);
		size_t to_engine = suggest_distance(word, engine);

		distance = to_engine < distance ? to_engine : distance;
		if (distance < best_distance) {
			best = scheme;
			best_distance = distance;
		}
	}
	return best;
}

// If this build cannot push to the URL's engine: the missing library; otherwise NULL.
static const char *
missing_library(const char *url)
{
	static const struct {
		const char *engine;
		const char *needs;
	} missing[] = {
#ifndef PMON_PUSH_CLICKHOUSE
		{"clickhouse+", "ClickHouse, which requires libcurl and xxHash (Debian packages "
				"libcurl4-openssl-dev and libxxhash-dev)"},
#endif
#ifndef PMON_PUSH_PROMETHEUS
#define PROMETHEUS_NEEDS                                                                           \
	"Prometheus, which requires libcurl, protobuf-c, snappy and xxHash (Debian packages "      \
	"libcurl4-openssl-dev, libprotobuf-c-dev, protobuf-c-compiler, libsnappy-dev and "         \
	"libxxhash-dev)"
		{"prometheus+", PROMETHEUS_NEEDS},
		{"victoriametrics+", PROMETHEUS_NEEDS},
		{"http", PROMETHEUS_NEEDS},
		{"otlp+", PROMETHEUS_NEEDS},
#endif
#ifndef PMON_PUSH_POSTGRES
		{"postgres", "PostgreSQL, which requires libpq and xxHash (Debian packages "
			     "libpq-dev and libxxhash-dev)"},
#endif
		{NULL, NULL},
	};

	for (size_t i = 0; missing[i].engine != NULL; i++)
		if (strncmp(url, missing[i].engine, strlen(missing[i].engine)) == 0)
			return missing[i].needs;
	return NULL;
}

int
engine_check_url(const char *verb, const char *url)
{
	const char *colon = strstr(url, "://");
	struct pmon_span word = {url, colon != NULL ? (size_t)(colon - url) : 0};
	const char *needs = missing_library(url);
	const char *scheme;

	for (size_t i = 0; (scheme = pmon_push_scheme(i)) != NULL; i++)
		if (strlen(scheme) == word.len && memcmp(scheme, url, word.len) == 0)
			return EXIT_DONE;
	if (needs != NULL)
		return say(EXIT_FAILED, "%s: this pmon was built without %s", verb, needs);
	scheme = word.len > 0 ? nearest_scheme(word) : NULL;
	if (scheme == NULL)
		return EXIT_DONE; // the error message of the library lists all schemes
	return say(EXIT_USAGE, "%s: unknown engine in the URL; did you mean %s://?", verb, scheme);
}

// ---- Who is asking --------------------------------------------------------------------------

// Read a secret from a file, or else from the environment.
static int
take_secret(const char *path, const char *variable, char buf[SECRET_SIZE], const char **out)
{
	int status = EXIT_DONE;

	*out = getenv(variable);
	if (path != NULL) {
		status = secret_read(path, buf);
		*out = buf;
	}
	return status;
}

static int
add_header(struct engine_login *login, const char *text)
{
	if (login->n_headers == ENGINE_HEADERS)
		return say(EXIT_USAGE, "more than %d headers", ENGINE_HEADERS);
	login->headers[login->n_headers++] = text;
	return EXIT_DONE;
}

// A line of a file, which is freed.
static int
add_header_line(struct engine_login *login, const char *path, struct pmon_span line)
{
	char *copy = login->header_text + login->header_len;

	if (line.len >= sizeof(login->header_text) - login->header_len)
		return say(EXIT_FAILED, "%s: the headers are too long", path);
	memcpy(copy, line.ptr, line.len);
	copy[line.len] = '\0';
	login->header_len += line.len + 1;
	return add_header(login, copy);
}

static int
add_header_file(struct engine_login *login, const char *path)
{
	struct textfile file;
	struct pmon_span line;
	int status = textfile_read(path, TEXTFILE_BYTES, &file);

	while (status == EXIT_DONE && textfile_line(&file, &line))
		if (line.len > 0)
			status = add_header_line(login, path, line);
	textfile_wipe(&file);
	return status;
}

static int
take_headers(const struct words *words, struct engine_login *login, const char *const **out)
{
	int status = EXIT_DONE;

	login->n_headers = login->header_len = 0;
	for (size_t i = 0; status == EXIT_DONE && i < words->n; i++)
		status = words->list[i][0] == '@' ? add_header_file(login, words->list[i] + 1)
						  : add_header(login, words->list[i]);
	login->headers[login->n_headers] = NULL;
	*out = login->n_headers > 0 ? login->headers : NULL;
	return status;
}

int
engine_take_options(const struct args *args, struct engine_login *login,
		    struct pmon_push_options *options)
{
	const char *user = args->engine.user;
	int status = live_length("--retry", args->engine.retry, &options->retry.give_up_100ns);

	if (status == EXIT_DONE)
		status = take_secret(args->engine.password_file, "PMON_PASSWORD", login->password,
				     &options->password);
	if (status == EXIT_DONE)
		status = take_secret(args->engine.token_file, "PMON_TOKEN", login->token,
				     &options->token);
	if (status == EXIT_DONE)
		status = take_headers(&args->engine.headers, login, &options->headers);
	options->user = user != NULL ? user : getenv("PMON_USER");
	options->insecure = args->insecure;
	options->ca_file = args->engine.ca_file;
	return status;
}
