// kernel_events.h - failures of processes and disks in the kernel's log
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_PROCESS_KERNEL_EVENTS_H
#define PMON_SHELL_PROCESS_KERNEL_EVENTS_H

#include <pmon/base.h>

enum kernel_event_kind {
	KERNEL_OUT_OF_MEMORY, // a process was killed
	KERNEL_HUNG,          // a task was blocked for minutes
	KERNEL_CRASHED,       // a process had a fault, such as a segmentation fault
	KERNEL_IO_ERROR,      // a disk failed a request
	KERNEL_EVENT_KINDS
};

#define KERNEL_EVENT_NAME 64

// All events of a kind.
struct kernel_event {
	uint64_t times;
	int64_t ago_100ns;            // the newest
	char name[KERNEL_EVENT_NAME]; // of its process or disk; "": unknown. Any text
	int64_t pid;                  // -1: none
};

// Find events that are at most oldest_100ns old in what pmon_os_kernel_log() returned. now_100ns is the time since boot.
void kernel_events_find(struct pmon_span log, int64_t now_100ns, int64_t oldest_100ns,
			struct kernel_event out[KERNEL_EVENT_KINDS]);

#endif
