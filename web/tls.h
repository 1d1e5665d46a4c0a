// tls.h - server and client certificates, using GnuTLS
// SPDX-License-Identifier: MIT
//
// libmicrohttpd uses GnuTLS, so this uses the same library. It is loaded only if TLS is requested.

#ifndef PMON_WEB_TLS_H
#define PMON_WEB_TLS_H

#include <pmon/base.h>

// A file in PEM: its text, and its name for messages.
struct tls_file {
	const char *text; // NULL: there is none
	const char *name;
};

struct tls {
	struct tls_file cert; // the server's, followed by its issuers
	struct tls_file key;
	struct tls_file
		client_ca; // the issuers of client certificates; none: clients need no certificate
};

// TLS 1.2 and later.
#define TLS_PRIORITIES "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

// Load GnuTLS. PMON_E_UNSUPPORTED: this build has none, or it is missing.
PMON_NODISCARD enum pmon_status tls_load(struct pmon_err *err);

// Are these certificates, and does the key belong to the first? PMON_E_ARG if not.
PMON_NODISCARD enum pmon_status tls_check(const struct tls *tls, struct pmon_err *err);

// Call before the handshake of a GnuTLS session, which then fails unless the client has a currently valid
// certificate for clients, issued by one of client_ca.
void tls_demand_client(void *session);

#endif
