// audit_arch.h - PMON_AUDIT_ARCH, this machine as seccomp names it
// SPDX-License-Identifier: MIT
//
// It is defined only for machines that callfilter.c has a list of system calls for. CMake looks too, to report it.

#ifndef PMON_CLI_PROCESS_AUDIT_ARCH_H
#define PMON_CLI_PROCESS_AUDIT_ARCH_H

#include <linux/audit.h>

#if defined(__x86_64__) && defined(__LP64__)
#define PMON_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__) && defined(__LP64__)
#define PMON_AUDIT_ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define PMON_AUDIT_ARCH AUDIT_ARCH_RISCV64
#elif defined(__s390x__)
#define PMON_AUDIT_ARCH AUDIT_ARCH_S390X
#endif

#endif
