// apart.h - run work in a separate process
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_PROCESS_APART_H
#define PMON_SHELL_PROCESS_APART_H

// Run work(ctx) in a child process and return its exit status; EXIT_FAILED, after a message, if it
// crashes or does not end. Its changes in memory are lost, but not what it writes. It is meant for
// drawing: fontconfig and FreeType, which cairo uses for fonts, crash or hang when out of memory.
// If no process can be created, the work runs in this one.
int apart_run(int (*work)(void *ctx), void *ctx);

#endif
