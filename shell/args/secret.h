// secret.h - passwords, tokens and keys in files that the user names
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_ARGS_SECRET_H
#define PMON_SHELL_ARGS_SECRET_H

#define SECRET_SIZE 1024

// Read the first line of a file. Messages name the file, but never its content. Returns an exit
// status.
int secret_read(const char *path, char out[SECRET_SIZE]);

// Refuse a file that other users may read or change. Returns an exit status.
int secret_check_private(const char *path);

#endif
