// manual.h - pmon __manual: a manual page for each verb
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_MANUAL_H
#define PMON_VERBS_MANUAL_H

// Write pmon-VERB.1 of each verb into the folder that is the only word. Called by the build; not shown in the help.
// Returns an exit status.
int manual_write(int n, char *const *words);

#endif
