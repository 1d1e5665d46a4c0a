// http_none.c - a build without libmicrohttpd has no server
// SPDX-License-Identifier: MIT

#include "web/http.h"

#include "base/err.h"

enum pmon_status
http_load(struct pmon_err *err)
{
	return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
			    "this pmon was built without the web server libmicrohttpd (Debian "
			    "package libmicrohttpd-dev)");
}

enum pmon_status
http_open(struct view *view, const struct http_options *options, struct http **out,
	  struct pmon_err *err)
{
	(void)view, (void)options;
	*out = NULL;
	return http_load(err);
}

bool
http_url(struct http *http, size_t i, char *buf, size_t size)
{
	(void)http, (void)i, (void)buf, (void)size;
	return false;
}

bool
http_renew_key(struct http *http)
{
	(void)http;
	return false;
}

void
http_close(struct http *http)
{
	(void)http;
}
