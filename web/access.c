// access.c - the access options of servers: token and certificates
// SPDX-License-Identifier: MIT

#include "web/access.h"

#include <string.h>

#include "base/err.h"
#include "shell/args/args.h"
#include "shell/output/say.h"

#define PEM_BYTES ((size_t)1 << 20)

// Read a token from a file. Such a token outlives the server, so programs need to be configured
// only once.
static int
read_token(struct access *access, const char *path, struct http_options *options)
{
	int status = secret_check_private(path);

	if (status == EXIT_DONE)
		status = secret_read(path, access->token);
	options->token = access->token;
	return status;
}

static int
read_pem(const char *path, struct textfile *text, struct tls_file *file)
{
	int status = path != NULL ? textfile_read(path, PEM_BYTES, text) : EXIT_DONE;

	file->name = path;
	file->text = status == EXIT_DONE ? text->text : NULL;
	return status;
}

static int
read_tls(struct access *access, const struct args *args, struct http_options *options)
{
	const char *cert = args->server.tls_cert;
	const char *key = args->server.tls_key;
	const char *client_ca = args->server.tls_client_ca;
	int status;

	if (cert == NULL && key == NULL && client_ca == NULL)
		return EXIT_DONE;
	if (cert == NULL || key == NULL)
		return say(EXIT_USAGE, "TLS needs both --tls-cert and --tls-key");
	status = secret_check_private(key);
	if (status == EXIT_DONE)
		status = read_pem(cert, &access->pem[0], &access->tls.cert);
	if (status == EXIT_DONE)
		status = read_pem(key, &access->pem[1], &access->tls.key);
	if (status == EXIT_DONE)
		status = read_pem(client_ca, &access->pem[2], &access->tls.client_ca);
	options->tls = &access->tls;
	return status;
}

int
access_read(struct access *access, const struct args *args, struct http_options *options)
{
	const char *token = args->server.token_file;
	int status = EXIT_DONE;

	*access = (struct access){.token = ""};
	options->name = args->server.host_name;
	options->insecure = args->insecure;
	if (token != NULL)
		status = read_token(access, token, options);
	return status == EXIT_DONE ? read_tls(access, args, options) : status;
}

void
access_close(struct access *access)
{
	for (size_t i = 0; i < sizeof(access->pem) / sizeof(access->pem[0]); i++)
		textfile_wipe(&access->pem[i]);
	memset(access->token, 0, sizeof(access->token));
}

int
access_load(const struct args *args, const char *verb)
{
	struct pmon_err err;

	if (http_load(&err) != PMON_OK)
		return say(EXIT_FAILED, "%s: %s", verb, err.msg);
	if (args->server.tls_cert != NULL && tls_load(&err) != PMON_OK)
		return say(EXIT_FAILED, "%s: %s", verb, err.msg);
	return EXIT_DONE;
}
