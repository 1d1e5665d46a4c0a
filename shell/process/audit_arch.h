// audit_arch.h - PMON_AUDIT_ARCH, seccomp's name for this machine
// SPDX-License-Identifier: MIT
//
// It is defined only for machines for which callfilter.c has a list of system calls. CMake checks
// it too, to report that.

#ifndef PMON_SHELL_PROCESS_AUDIT_ARCH_H
#define PMON_SHELL_PROCESS_AUDIT_ARCH_H

#include <linux/audit.h>

#if defined(__x86_64__) && defined(__LP64__)
#define PMON_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__) && defined(__LP64__)
#define PMON_AUDIT_ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define PMON_AUDIT_ARCH AUDIT_ARCH_RISCV64
#elif defined(__s390x__)
#define PMON_AUDIT_ARCH AUDIT_ARCH_S390X
#elif defined(__i386__)
#define PMON_AUDIT_ARCH AUDIT_ARCH_I386
#elif defined(__arm__) && defined(__ARMEL__)
#define PMON_AUDIT_ARCH AUDIT_ARCH_ARM
#endif

#endif
