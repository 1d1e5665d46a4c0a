// secret.h - passwords, tokens and keys in files that the user names
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_ARGS_SECRET_H
#define PMON_CLI_ARGS_SECRET_H

#define SECRET_SIZE 1024

// The first line of a file. Messages name the file, and never what is in it. Returns an exit status.
int secret_read(const char *path, char out[SECRET_SIZE]);

// Refuse a file that other users may read or change. Returns an exit status.
int secret_check_private(const char *path);

#endif
