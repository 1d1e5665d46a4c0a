// moments.h - the time at which most test logs begin, and steps from there
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_MOMENTS_H
#define PMON_TESTS_MOMENTS_H

#include <pmon/base.h>

// 2020-01-01 00:00:00 UTC is 1577836800 in Unix time (date -u -d 2020-01-01 +%s), which counts seconds
// from 11644473600 s after 1601-01-01.
#define T0     INT64_C(132223104000000000)
#define SECOND PMON_TIME_PER_SEC
#define HOUR   (3600 * SECOND)

#endif
