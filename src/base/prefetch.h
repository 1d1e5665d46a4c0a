// prefetch.h - load memory into the cache before it is needed
// SPDX-License-Identifier: MIT
//
// What each sample does for thousands of series is scattered in memory: the processor can wait for several places at
// once if it knows them beforehand.

#ifndef PMON_BASE_PREFETCH_H
#define PMON_BASE_PREFETCH_H

// The cache line at an address, which is going to be written.
static inline void
pmon_prefetch(const void *at)
{
#if defined(__GNUC__)
	__builtin_prefetch(at, 1);
#else
	(void)at;
#endif
}

#endif
