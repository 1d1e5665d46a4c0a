// engine.c - which engine a command line names, and how to connect to it
// SPDX-License-Identifier: MIT

#include "apps/push/engine.h"

#include <stdlib.h>
#include <string.h>

#include "cli/args/args.h"
#include "cli/args/suggest.h"
#include "cli/input/live.h"
#include "cli/output/say.h"

// ---- URLs -----------------------------------------------------------------------------------

// What a word was meant to be: the beginning of a scheme, or nearly one. NULL: nothing that is known.
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

// The engine of a URL, and what it needs, if this build lacks it; else NULL.
static const char *
missing_library(const char *url)
{
	static const struct {
		const char *engine;
		const char *needs;
	} missing[] = {
#ifndef PMON_PUSH_CLICKHOUSE
		{"clickhouse+", "ClickHouse; it needs libcurl and xxHash (in Debian "
				"libcurl4-openssl-dev and libxxhash-dev)"},
#endif
#ifndef PMON_PUSH_PROMETHEUS
#define PROMETHEUS_NEEDS                                                                           \
	"Prometheus; it needs libcurl, protobuf-c, snappy and xxHash (in Debian "                  \
	"libcurl4-openssl-dev, libprotobuf-c-dev, protobuf-c-compiler, libsnappy-dev and "         \
	"libxxhash-dev)"
		{"prometheus+", PROMETHEUS_NEEDS},
		{"victoriametrics+", PROMETHEUS_NEEDS},
		{"http", PROMETHEUS_NEEDS},
#endif
#ifndef PMON_PUSH_POSTGRES
		{"postgres",
		 "PostgreSQL; it needs libpq and xxHash (in Debian libpq-dev and libxxhash-dev)"},
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
		return EXIT_DONE; // the library names all
	return say(EXIT_USAGE, "%s: unknown engine in the URL; did you mean %s://?", verb, scheme);
}

// ---- Who is asking --------------------------------------------------------------------------

// From a file, or else from the environment.
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

int
engine_take_options(const struct args *args, struct engine_login *login,
		    struct pmon_push_options *options)
{
	const char *user = args_text(args, "--user");
	int status =
		live_length("--retry", args_text(args, "--retry"), &options->retry.give_up_100ns);

	if (status == EXIT_DONE)
		status = take_secret(args_text(args, "--password-file"), "PMON_PASSWORD",
				     login->password, &options->password);
	if (status == EXIT_DONE)
		status = take_secret(args_text(args, "--token-file"), "PMON_TOKEN", login->token,
				     &options->token);
	options->user = user != NULL ? user : getenv("PMON_USER");
	options->insecure = args_flag(args, "--insecure");
	options->ca_file = args_text(args, "--ca-file");
	options->cluster = args_text(args, "--cluster");
	return status;
}
