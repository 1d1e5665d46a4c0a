// tls.h - certificates of the server and of its clients, by GnuTLS
// SPDX-License-Identifier: MIT
//
// libmicrohttpd does TLS by GnuTLS, so this is the same library, and it is loaded only when TLS is wanted.

#ifndef PMON_WEB_TLS_H
#define PMON_WEB_TLS_H

#include <pmon/base.h>

// A file in PEM: its text, and its name for messages.
struct tls_file {
	const char *text; // NULL: there is none
	const char *name;
};

struct tls {
	struct tls_file cert; // of the server, then those that signed it
	struct tls_file key;
	struct tls_file
		client_ca; // who signed the certificates of clients; none: clients need no certificate
};

// TLS 1.2 and later.
#define TLS_PRIORITIES "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

// Load GnuTLS. PMON_E_UNSUPPORTED: this build has none, or it is missing.
PMON_NODISCARD enum pmon_status tls_load(struct pmon_err *err);

// Are these certificates, and does the key belong to the first? PMON_E_ARG if not.
PMON_NODISCARD enum pmon_status tls_check(const struct tls *tls, struct pmon_err *err);

// Before the handshake of a session of GnuTLS: it fails unless the client has a certificate by one of client_ca
// that is valid now, and that may be a client's.
void tls_demand_client(void *session);

#endif
