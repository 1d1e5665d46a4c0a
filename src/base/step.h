// step.h - mark the steps of a function that has to be fast
// SPDX-License-Identifier: MIT
//
// Reading a number takes only a few ns if all steps are compiled into one function, which compilers
// do not do on their own.

#ifndef PMON_BASE_STEP_H
#define PMON_BASE_STEP_H

#if defined(__GNUC__)
#define STEP     static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))
#else
#define STEP static inline
#define NOINLINE
#endif

#endif
