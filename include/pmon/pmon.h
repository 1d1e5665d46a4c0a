// pmon.h - everything: typed performance counters, their paths, logs and statistics
// SPDX-License-Identifier: MIT

#ifndef PMON_PMON_H
#define PMON_PMON_H

#include <pmon/base.h>
#include <pmon/counter.h>
#include <pmon/increments.h>
#include <pmon/live.h>
#include <pmon/log.h>
#include <pmon/model.h>
#include <pmon/path.h>
#include <pmon/push.h>
#include <pmon/query.h>
#include <pmon/sink.h>

#endif
