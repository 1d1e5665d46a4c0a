// step.h - marks for the steps of a function that has to be fast
// SPDX-License-Identifier: MIT
//
// A number is read in a few ns when the steps to it are compiled as one function, which compilers do
// not see by themselves.

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
