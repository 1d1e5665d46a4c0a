// tls.c - server and client certificates, using GnuTLS
// SPDX-License-Identifier: MIT

#include "web/tls.h"

#include <string.h>

#include <gnutls/x509.h>

#include "base/err.h"
#include "os/library.h"

// clang-format off
#define TLS_CALLS(CALL)                                                                            \
	CALL(gnutls_, certificate_allocate_credentials) CALL(gnutls_, certificate_free_credentials) \
	CALL(gnutls_, certificate_server_set_request) CALL(gnutls_, certificate_set_x509_key_mem)  \
	CALL(gnutls_, certificate_set_x509_trust_mem) CALL(gnutls_, session_set_verify_cert2)      \
	CALL(gnutls_, strerror)
// clang-format on

static struct tls_calls {
	TLS_CALLS(PMON_OS_CALL)
} gnutls;

enum pmon_status
tls_load(struct pmon_err *err)
{
	return PMON_OS_LOAD(PMON_LIBRARY_TLS, TLS_CALLS, &gnutls, err);
}

static gnutls_datum_t
datum(const struct tls_file *file)
{
	return (gnutls_datum_t){(unsigned char *)(uintptr_t)file->text,
				(unsigned)strlen(file->text)};
}

static enum pmon_status
check_in(gnutls_certificate_credentials_t credentials, const struct tls *tls, struct pmon_err *err)
{
	gnutls_datum_t cert = datum(&tls->cert);
	gnutls_datum_t key = datum(&tls->key);
	gnutls_datum_t ca;
	int result =
		gnutls.certificate_set_x509_key_mem(credentials, &cert, &key, GNUTLS_X509_FMT_PEM);

	if (result < 0)
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "%s and %s are not a certificate and its key in PEM format: %s",
				    tls->cert.name, tls->key.name, gnutls.strerror(result));
	if (tls->client_ca.text == NULL)
		return PMON_OK;
	ca = datum(&tls->client_ca);
	result = gnutls.certificate_set_x509_trust_mem(credentials, &ca, GNUTLS_X509_FMT_PEM);
	if (result <= 0)
		return pmon_err_set(err, PMON_E_ARG, 0, "%s has no certificate in PEM format: %s",
				    tls->client_ca.name,
				    result < 0 ? gnutls.strerror(result) : "it is empty");
	return PMON_OK;
}

enum pmon_status
tls_check(const struct tls *tls, struct pmon_err *err)
{
	gnutls_certificate_credentials_t credentials;
	enum pmon_status status = tls_load(err);

	if (status != PMON_OK)
		return status;
	if (gnutls.certificate_allocate_credentials(&credentials) < 0)
		return pmon_err_nomem(err);
	status = check_in(credentials, tls, err);
	gnutls.certificate_free_credentials(credentials);
	return status;
}

void
tls_demand_client(void *session)
{
	// The session uses this address until the end of its handshake.
	static unsigned char purpose[] = GNUTLS_KP_TLS_WWW_CLIENT;
	static gnutls_typed_vdata_st data = {.type = GNUTLS_DT_KEY_PURPOSE_OID, .data = purpose};

	gnutls.certificate_server_set_request(session, GNUTLS_CERT_REQUIRE);
	gnutls.session_set_verify_cert2(session, &data, 1, 0);
}
