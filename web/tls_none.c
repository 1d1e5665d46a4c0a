// tls_none.c - a build without GnuTLS has no TLS
// SPDX-License-Identifier: MIT

#include "web/tls.h"

#include "base/err.h"

enum pmon_status
tls_load(struct pmon_err *err)
{
	return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
			    "this pmon was built without TLS for servers, which requires GnuTLS "
			    "(Debian package libgnutls28-dev)");
}

enum pmon_status
tls_check(const struct tls *tls, struct pmon_err *err)
{
	(void)tls;
	return tls_load(err);
}

void
tls_demand_client(void *session)
{
	(void)session;
}
