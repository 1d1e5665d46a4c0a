// processors.h - which objects count the processors of a machine, and which counter is their load
// SPDX-License-Identifier: MIT
//
// The first of these objects that a machine has covers all of its processors. On a Hyper-V host,
// Processor covers only the root partition, which is itself a guest of the hypervisor; on a machine
// with more than 64 processors it covers only one group. The load is the counter of the instance
// _Total.

#ifndef PMON_QUERY_PROCESSORS_H
#define PMON_QUERY_PROCESSORS_H

#define PMON_HYPERVISOR_OBJECT "Hyper-V Hypervisor Logical Processor"
#define PMON_HYPERVISOR_LOAD   "% Total Run Time"

#define PMON_PROCESSORS PMON_HYPERVISOR_OBJECT, "Processor Information", "Processor"

enum {
	PMON_HYPERVISOR_PROCESSOR,
	PMON_PROCESSOR_INFORMATION,
	PMON_PLAIN_PROCESSOR,
	PMON_PROCESSOR_OBJECTS
};

#define PMON_PROCESSOR_LOADS     PMON_HYPERVISOR_LOAD, "% Processor Time"
#define PMON_HYPERVISOR_PATTERN  "\\" PMON_HYPERVISOR_OBJECT "(*)\\" PMON_HYPERVISOR_LOAD
#define PMON_INFORMATION_PATTERN "\\Processor Information(*)\\% Processor Time"
#define PMON_PROCESSOR_PATTERN   "\\Processor(*)\\% Processor Time"

#endif
