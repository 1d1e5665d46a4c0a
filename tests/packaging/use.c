// use.c - another program: in C and in C++, it needs the installed library only
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include <pmon/pmon.h>

int
main(void)
{
	struct pmon_counter disk;
	struct pmon_raw idle, busy;
	struct pmon_calc calc;
	struct pmon_value value;

	memset(&disk, 0, sizeof(disk));
	memset(&idle, 0, sizeof(idle));
	memset(&busy, 0, sizeof(busy));
	disk.type = PMON_PERF_AVERAGE_TIMER;
	disk.time_base = 14318180;
	busy.first = 2147727;
	busy.second = 1;
	pmon_calc_init(&calc, &disk, NULL);
	value = pmon_calc_value(&calc, &idle, &busy);
	printf("%s %.6f\n", pmon_vstat_name(value.status), value.value);
	return value.status == PMON_V_OK ? 0 : 1;
}
