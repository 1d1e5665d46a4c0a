// apart.h - work in a process apart
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_PROCESS_APART_H
#define PMON_CLI_PROCESS_APART_H

// Run work(ctx) in a process of its own and return its exit status; EXIT_FAILED, after a message, when it
// crashes or does not come to an end. What it changes in memory is lost, what it writes is not. For work that
// draws: fontconfig and FreeType, which cairo asks for fonts, crash or hang when memory is short. Where no
// process can be made the work is done in this one.
int apart_run(int (*work)(void *ctx), void *ctx);

#endif
