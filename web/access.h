// access.h - the server options for access control: token and certificates
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_ACCESS_H
#define PMON_WEB_ACCESS_H

#include "shell/args/secret.h"
#include "shell/args/textfile.h"
#include "web/http.h"
#include "web/tls.h"

struct args;

struct access {
	char token[SECRET_SIZE];
	struct textfile pem[3]; // certificate, key, and the CA certificates for clients
	struct tls tls;
};

// Fill in a server's options from --token-file, the TLS options, --insecure and --host-name. They then point
// into access. Returns an exit status after printing an error.
int access_read(struct access *access, const struct args *args, struct http_options *options);

// Overwrites secrets in memory.
void access_close(struct access *access);

// Load the libraries that these options need. Returns an exit status after printing what is missing; verb:
// for the message.
int access_load(const struct args *args, const char *verb);

#endif
