// guard.c - may this request be answered?
// SPDX-License-Identifier: MIT
//
// Another page in the same browser can make it ask any address, under any name that its owner makes
// point there. So Host has to be a name that nobody else can give out: an address of this server, or
// localhost.

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

// Take ":41213" off the end of host. A host without a port means port 80.
static bool
take_port(const char *host, char name[128], uint16_t port)
{
	const char *colon = strrchr(host, ':');
	bool has_port = colon != NULL && strchr(colon, ']') == NULL;
	size_t len = has_port ? (size_t)(colon - host) : strlen(host);
	char text[8];

	if (len == 0 || len >= 128)
		return false;
	memcpy(name, host, len);
	name[len] = '\0';
	(void)snprintf(text, sizeof(text), "%u", (unsigned)port);
	return has_port ? strcmp(colon + 1, text) == 0 : port == 80;
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

	if (host == NULL || !take_port(host, name, guard->port))
		return false;
	strip_brackets(name);
	if (strcmp(name, guard->address) == 0)
		return true;
	if (guard->loopback || guard->any)
		return strcasecmp(name, "localhost") == 0 ||
		       (guard->any && pmon_ip_parse(name, &ip));
	return false;
}

bool
guard_origin(const struct guard *guard, const char *host, const char *origin)
{
	static const char scheme[] = "http://";

	if (origin == NULL)
		return true;
	return strncmp(origin, scheme, sizeof(scheme) - 1) == 0 && guard_host(guard, host) &&
	       strcasecmp(origin + sizeof(scheme) - 1, host) == 0;
}

// Takes as long whatever the token is.
bool
guard_token(const struct guard *guard, const char *token)
{
	unsigned char differs = 0;

	if (guard->token[0] == '\0')
		return true;
	if (token == NULL || strlen(token) != GUARD_TOKEN)
		return false;
	for (size_t i = 0; i < GUARD_TOKEN; i++)
		differs |= (unsigned char)(guard->token[i] ^ token[i]);
	return differs == 0;
}
