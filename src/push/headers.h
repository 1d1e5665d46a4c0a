// headers.h - headers that the user adds to HTTP requests: tenants, and keys of services
// SPDX-License-Identifier: MIT

#ifndef PMON_PUSH_HEADERS_H
#define PMON_PUSH_HEADERS_H

#include <pmon/push.h>

// PMON_E_ARG: one of options->headers is malformed, or pmon sets it itself.
PMON_NODISCARD enum pmon_status pmon_push_headers_check(const struct pmon_push_options *options,
							struct pmon_err *err);

// Is the value a secret, by the name of the header: "Authorization", "DD-API-KEY"?
bool pmon_push_header_is_secret(const char *header);

#endif
