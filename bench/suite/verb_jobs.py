# verb_jobs.py - each verb that prints a table, in each of its forms
# SPDX-License-Identifier: MIT
#
# CSV costs the least that a form can: what another one takes beyond it is its own. Work for every value
# that belongs to the start shows here.

import logs

FORMS = ("csv", "text", "json")
VERBS = ("values", "raw", "stats", "list", "info")


def verbs(machine, results):
    """The log is one of single counters, so that most of the time is the printing."""
    name = "single.blg"
    counters, values = logs.facts(machine, name)
    for verb in VERBS:
        for form in FORMS:
            args = [machine.pmon, verb, "--format", form, machine.path(name)]
            took = machine.run(args, times=3)
            results.add("verbs", f"pmon {verb} {form}", took, machine.size(name), values, counters)
