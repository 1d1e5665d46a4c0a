// guard.c - check a request's address, secrets, Host and Origin
// SPDX-License-Identifier: MIT
//
// DNS rebinding: another page in the same browser can make it send requests to any address, under any name
// that the page's owner points there. So Host must be a name that no attacker controls: an address of this
// server, localhost, or the name set by the user.

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
guard_random(char out[GUARD_TOKEN + 1])
{
	unsigned char random[GUARD_TOKEN / 2];
	FILE *file;
	bool good;

	file = fopen("/dev/urandom", "rb");
	good = file != NULL && fread(random, 1, sizeof(random), file) == sizeof(random);
	if (file != NULL)
		fclose(file);
	for (size_t i = 0; good && i < sizeof(random); i++)
		(void)snprintf(out + 2 * i, 3, "%02x", random[i]);
	return good;
}

bool
guard_make_token(struct guard *guard)
{
	return guard_random(guard->token);
}

bool
guard_make_secret(struct guard *guard)
{
	return guard_random(guard->secret);
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

bool
guard_is(const char *text, const char *given)
{
	size_t len = strlen(text);
	size_t n = given != NULL ? strlen(given) : 0;
	unsigned char differs = n != len || len == 0;

	for (size_t i = 0; n > 0 && i < len; i++)
		differs |= (unsigned char)(text[i] ^ given[i < n ? i : n]);
	return differs == 0;
}

bool
guard_lets_in(const struct guard *guard, const char *given)
{
	bool is_open = guard->token[0] == '\0' && guard->secret[0] == '\0';

	return is_open || guard_is(guard->token, given) || guard_is(guard->secret, given);
}

// ---- Addresses ------------------------------------------------------------------------------

#define ADDRESSES 32 // of this machine to compare with

static bool
put_url(const struct guard *guard, const char *host, const char *path, const char *key, char *buf,
	size_t size)
{
	bool v6 = strchr(host, ':') != NULL;
	bool has_token = guard->token[0] != '\0' && !guard->hides_token;
	const char *name = key[0] != '\0' ? "?key=" : has_token ? "?token=" : "";

	(void)snprintf(buf, size, "http%s://%s%s%s:%u/%s%s%s", guard->https ? "s" : "",
		       v6 ? "[" : "", host, v6 ? "]" : "", (unsigned)guard->port, path, name,
		       key[0] != '\0' ? key
		       : has_token    ? guard->token
				      : "");
	return true;
}

// A socket on all IPv6 addresses also accepts IPv4, as mapped addresses.
static bool
put_reachable(const struct guard *guard, size_t i, const char *path, const char *key, char *buf,
	      size_t size)
{
	char list[ADDRESSES][PMON_ADDRESS_SIZE];
	size_t n = pmon_socket_addresses(list, ADDRESSES);
	bool v6 = strchr(guard->address, ':') != NULL;

	for (size_t k = 0; k < n; k++)
		if ((v6 || strchr(list[k], ':') == NULL) && i-- == 0)
			return put_url(guard, list[k], path, key, buf, size);
	return false;
}

bool
guard_url(const struct guard *guard, size_t i, const char *path, const char *key, char *buf,
	  size_t size)
{
	const char *own = strchr(guard->address, ':') != NULL ? "::1" : "127.0.0.1";

	// A browser cannot connect to "all addresses".
	if (i == 0)
		return put_url(guard, guard->any ? own : guard->address, path, key, buf, size);
	if (guard->name != NULL && --i == 0)
		return put_url(guard, guard->name, path, key, buf, size);
	return guard->any && put_reachable(guard, i - 1, path, key, buf, size);
}
