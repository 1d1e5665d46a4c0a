// headers.c - headers that the user adds to HTTP requests: tenants, and keys of services
// SPDX-License-Identifier: MIT

#include "push/headers.h"

#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/scan.h"

// RFC 9110, 5.6.2.
static bool
is_token(char c)
{
	return pmon_is_digit(c) || pmon_is_letter(c) ||
	       (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

// A value is visible text; bytes from 0x80 are allowed (RFC 9110, 5.5).
static bool
is_value(const char *text)
{
	bool is_empty = true;

	for (; *text != '\0'; text++) {
		if (((unsigned char)*text < ' ' && *text != '\t') || *text == 0x7F)
			return false;
		is_empty = is_empty && (*text == ' ' || *text == '\t');
	}
	return !is_empty;
}

static bool
is_named(const char *header, size_t len, const char *name)
{
	return strlen(name) == len && strncasecmp(header, name, len) == 0;
}

// Headers that requests have already: the value would be there twice.
static bool
is_own(const char *header, size_t len, const struct pmon_push_options *options)
{
	static const char *const names[] = {
		"Accept", "Connection", "Content-Encoding", "Content-Length", "Content-Type",
		"Expect", "Host",       "Transfer-Encoding"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is_named(header, len, names[i]))
			return true;
	return is_named(header, len, "Authorization") &&
	       (options->token != NULL || options->user != NULL);
}

// Only the name is shown, as the value may be a secret.
static enum pmon_status
check(const char *header, const struct pmon_push_options *options, struct pmon_err *err)
{
	size_t len = 0;

	while (is_token(header[len]))
		len++;
	if (len == 0 || header[len] != ':')
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "a header is malformed; write it as 'Name: value'");
	if (!is_value(header + len + 1))
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "the value of the header %.*s is empty or has control "
				    "characters",
				    (int)len, header);
	if (is_own(header, len, options))
		return pmon_err_set(err, PMON_E_ARG, 0, "pmon sets the header %.*s itself",
				    (int)len, header);
	return PMON_OK;
}

enum pmon_status
pmon_push_headers_check(const struct pmon_push_options *options, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	for (const char *const *h = options->headers; status == PMON_OK && h != NULL && *h != NULL;
	     h++)
		status = check(*h, options, err);
	return status;
}

bool
pmon_push_header_is_secret(const char *header)
{
	static const char *const parts[] = {"auth", "cookie", "key", "pass", "secret", "token"};
	size_t len = strcspn(header, ":");

	for (size_t at = 0; at < len; at++)
		for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
			size_t n = strlen(parts[i]);

			if (n <= len - at && strncasecmp(header + at, parts[i], n) == 0)
				return true;
		}
	return false;
}
