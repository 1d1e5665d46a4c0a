// machines.c - the machines that counters are of
// SPDX-License-Identifier: MIT

#include "text/machines.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

bool
machines_have(const struct machines *machines, struct pmon_span name)
{
	// The newest first: the counters of a machine are mostly adjacent.
	for (size_t i = machines->n; i > 0; i--)
		if (pmon_text_same(machines->list[i - 1], name))
			return true;
	return false;
}

bool
machines_add(struct machines *machines, struct pmon_span name)
{
	struct pmon_span *grown;
	size_t cap = machines->cap == 0 ? 16 : machines->cap * 2;

	if (name.len == 0 || machines_have(machines, name))
		return true;
	if (machines->n == machines->cap) {
		grown = realloc(machines->list, cap * sizeof(*grown));
		if (grown == NULL)
			return false;
		machines->list = grown;
		machines->cap = cap;
	}
	machines->list[machines->n++] = name;
	return true;
}

bool
machines_find(const struct pmon_schema *schema, struct machines *out)
{
	*out = (struct machines){.n = 0};
	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		if (!machines_add(out, pmon_schema_at(schema, i)->path.machine)) {
			machines_free(out);
			return false;
		}
	return true;
}

void
machines_free(struct machines *machines)
{
	free(machines->list);
	*machines = (struct machines){.n = 0};
}

size_t
machines_text(const struct machines *machines, char *buf, size_t size)
{
	struct pmon_text t = pmon_text_init(buf, size);
	size_t i;

	buf[0] = '\0';
	if (machines->n > 1) {
		pmon_text_u64(&t, machines->n);
		pmon_text_str(&t, " machines: ");
	}
	for (i = 0; i < machines->n; i++) {
		// A name that does not fit together with the dots for those after it is left out.
		if (i > 0 && t.len + machines->list[i].len + 6 >= size)
			break;
		pmon_text_str(&t, i > 0 ? ", " : "");
		pmon_text_span(&t, machines->list[i]);
	}
	if (i < machines->n)
		pmon_text_str(&t, " ...");
	return t.len < size ? t.len : size - 1;
}
