// guard.c - may this request be answered?
// SPDX-License-Identifier: MIT
//
// Another page in the same browser can make it ask any address, under any name that its owner makes
// point there. So Host has to be a name that nobody else can give out: an address of this server, or
// localhost, or the name that the user gives.

#include "web/guard.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "os/socket.h"

bool
guard_address(struct guard *guard, const char *text)
{
	struct pmon_ip ip;

	*guard = (struct guard){.loopback = false};
	if (text == NULL)
		text = "127.0.0.1";
	if (strlen(text) >= sizeof(guard->address))
		return false;
	strcpy(guard->address, text);
	if (!pmon_ip_parse(text, &ip))
		return false;
	guard->any = ip.is_any;
	guard->loopback = ip.is_loopback;
	return true;
}

bool
guard_is_name(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789.-";
	size_t len = strlen(text);

	return len > 0 && len <= 100 && strspn(text, letters) == len;
}

bool
guard_make_token(struct guard *guard)
{
	unsigned char random[GUARD_TOKEN / 2];
	FILE *file;
	bool good;

	file = fopen("/dev/urandom", "rb");
	good = file != NULL && fread(random, 1, sizeof(random), file) == sizeof(random);
	if (file != NULL)
		fclose(file);
	for (size_t i = 0; good && i < sizeof(random); i++)
		(void)snprintf(guard->token + 2 * i, 3, "%02x", random[i]);
	return good;
}

bool
guard_set_token(struct guard *guard, const char *token)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789-._~+/";
	size_t len = strlen(token);
	size_t body = strspn(token, letters);

	if (len < 16 || len > GUARD_TOKEN_MOST || body + strspn(token + body, "=") != len)
		return false;
	memcpy(guard->token, token, len + 1);
	guard->hides_token = true;
	return true;
}

// Take ":41213" off the end of host. A host without a port means port 80, or 443.
static bool
take_port(const struct guard *guard, const char *host, char name[128])
{
	const char *colon = strrchr(host, ':');
	bool has_port = colon != NULL && strchr(colon, ']') == NULL;
	size_t len = has_port ? (size_t)(colon - host) : strlen(host);
	char text[8];

	if (len == 0 || len >= 128)
		return false;
	memcpy(name, host, len);
	name[len] = '\0';
	(void)snprintf(text, sizeof(text), "%u", (unsigned)guard->port);
	return has_port ? strcmp(colon + 1, text) == 0 : guard->port == (guard->https ? 443 : 80);
}

// The address in brackets, or as it is.
static void
strip_brackets(char name[128])
{
	size_t len = strlen(name);

	if (len < 2 || name[0] != '[' || name[len - 1] != ']')
		return;
	memmove(name, name + 1, len - 2);
	name[len - 2] = '\0';
}

bool
guard_host(const struct guard *guard, const char *host)
{
	struct pmon_ip ip;
	char name[128];

	if (host == NULL || !take_port(guard, host, name))
		return false;
	strip_brackets(name);
	if (strcmp(name, guard->address) == 0 ||
	    (guard->name != NULL && strcasecmp(name, guard->name) == 0))
		return true;
	if (guard->loopback || guard->any)
		return strcasecmp(name, "localhost") == 0 ||
		       (guard->any && pmon_ip_parse(name, &ip));
	return false;
}

bool
guard_origin(const struct guard *guard, const char *host, const char *origin)
{
	const char *scheme = guard->https ? "https://" : "http://";
	size_t len = strlen(scheme);

	if (origin == NULL)
		return true;
	return strncmp(origin, scheme, len) == 0 && guard_host(guard, host) &&
	       strcasecmp(origin + len, host) == 0;
}

// Takes as long whatever is right of the token that is given: only its length shows.
bool
guard_token(const struct guard *guard, const char *token)
{
	size_t len = strlen(guard->token);
	size_t n = token != NULL ? strlen(token) : 0;
	unsigned char differs = n != len;

	if (len == 0)
		return true;
	for (size_t i = 0; n > 0 && i < len; i++)
		differs |= (unsigned char)(guard->token[i] ^ token[i < n ? i : n]);
	return differs == 0;
}

// ---- Addresses ------------------------------------------------------------------------------

#define ADDRESSES 32 // of this machine that are looked at

static bool
put_url(const struct guard *guard, const char *host, const char *path, char *buf, size_t size)
{
	bool v6 = strchr(host, ':') != NULL;
	bool has_token = guard->token[0] != '\0' && !guard->hides_token;

	(void)snprintf(buf, size, "http%s://%s%s%s:%u/%s%s%s", guard->https ? "s" : "",
		       v6 ? "[" : "", host, v6 ? "]" : "", (unsigned)guard->port, path,
		       has_token ? "?token=" : "", has_token ? guard->token : "");
	return true;
}

// A socket for all addresses of IPv6 takes those of IPv4 too, as addresses of IPv6.
static bool
put_reachable(const struct guard *guard, size_t i, const char *path, char *buf, size_t size)
{
	char list[ADDRESSES][PMON_ADDRESS_SIZE];
	size_t n = pmon_socket_addresses(list, ADDRESSES);
	bool v6 = strchr(guard->address, ':') != NULL;

	for (size_t k = 0; k < n; k++)
		if ((v6 || strchr(list[k], ':') == NULL) && i-- == 0)
			return put_url(guard, list[k], path, buf, size);
	return false;
}

bool
guard_url(const struct guard *guard, size_t i, const char *path, char *buf, size_t size)
{
	const char *own = strchr(guard->address, ':') != NULL ? "::1" : "127.0.0.1";

	// A browser cannot connect to "all addresses".
	if (i == 0)
		return put_url(guard, guard->any ? own : guard->address, path, buf, size);
	if (guard->name != NULL && --i == 0)
		return put_url(guard, guard->name, path, buf, size);
	return guard->any && put_reachable(guard, i - 1, path, buf, size);
}
