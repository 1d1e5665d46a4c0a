// script.h - the script of a report, which the build generates from verbs/report/reader.js and
// modules of the page
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_REPORT_SCRIPT_H
#define PMON_VERBS_REPORT_SCRIPT_H

extern const unsigned char report_script[]; // a string
extern const char report_script_hash[];     // "sha256-...", for the page's content security policy

#endif
