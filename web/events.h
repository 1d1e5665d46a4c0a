// events.h - what is new, as server-sent events
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_EVENTS_H
#define PMON_WEB_EVENTS_H

#include <stddef.h>

struct events;

// Up to size bytes of the stream into buf. Waits until there are any; 0 is the end.
size_t events_read(struct events *events, char *buf, size_t size);

void events_close(struct events *events);

#endif
