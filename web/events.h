// events.h - server-sent events for new samples
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_EVENTS_H
#define PMON_WEB_EVENTS_H

#include <stddef.h>

struct events;

// Read up to size bytes of the stream, waiting for the first. Returns 0 at the end.
size_t events_read(struct events *events, char *buf, size_t size);

void events_close(struct events *events);

#endif
