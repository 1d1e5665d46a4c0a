// machines.c - detect two machines with the same name
// SPDX-License-Identifier: MIT
//
// Counters are identified by machine name, so two machines with one name would share series. An engine stores
// the id of a machine with its name, written as in identities (keys.h). The first id owns the name; others are
// stored if the user accepts them. Logs without ids are assumed to come from the machine of that name.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/scan.h"
#include "base/time.h"
#include "model/machine.h"
#include "push/push.h"

#define TIME_LEN 19 // of "2026-11-23T19:05:11"

// ---- What the engine has --------------------------------------------------------------------

static struct pmon_push_machine *
find(struct pmon_push_machines *machines, struct pmon_span id)
{
	for (size_t i = 0; i < machines->n; i++)
		if (memcmp(machines->list[i].id, id.ptr, PMON_MACHINE_ID) == 0)
			return &machines->list[i];
	return NULL;
}

// Parse "ID\tSECONDS\tACCEPTED"; other lines are skipped.
static void
add_line(struct pmon_push_machines *machines, struct pmon_span line)
{
	struct pmon_span id = {line.ptr, PMON_MACHINE_ID};
	struct pmon_scan s = pmon_scan_init(line);
	struct pmon_push_machine *machine;
	uint64_t seconds;
	uint64_t accepted;

	if (line.len <= PMON_MACHINE_ID || !pmon_machine_is_id(id))
		return;
	s.at += PMON_MACHINE_ID + 1;
	if (!pmon_scan_u64(&s, &seconds) || seconds > UINT32_MAX || !pmon_scan_take(&s, '\t') ||
	    !pmon_scan_u64(&s, &accepted))
		return;
	machine = find(machines, id);
	if (machine == NULL) {
		if (machines->n == PMON_PUSH_MACHINES)
			return;
		machine = &machines->list[machines->n++];
		*machine = (struct pmon_push_machine){.since_s = (int64_t)seconds};
		memcpy(machine->id, id.ptr, id.len);
	}
	if ((int64_t)seconds < machine->since_s)
		machine->since_s = (int64_t)seconds;
	machine->is_accepted = machine->is_accepted || accepted != 0;
}

void
pmon_push_machines_add_text(struct pmon_push_machines *machines, struct pmon_span text)
{
	while (text.len > 0) {
		const char *end = memchr(text.ptr, '\n', text.len);
		size_t len = end != NULL ? (size_t)(end - text.ptr) : text.len;

		add_line(machines, (struct pmon_span){text.ptr, len});
		len += end != NULL;
		text = (struct pmon_span){text.ptr + len, text.len - len};
	}
}

// Sort the owner of the name first: accepted ids came later, possibly within the same second.
static int
by_age(const void *a, const void *b)
{
	const struct pmon_push_machine *x = a;
	const struct pmon_push_machine *y = b;

	if (x->is_accepted != y->is_accepted)
		return x->is_accepted ? 1 : -1;
	if (x->since_s != y->since_s)
		return x->since_s < y->since_s ? -1 : 1;
	return strcmp(x->id, y->id);
}

static enum pmon_status
read_machine(struct pmon_push_sink *push, const char *name, struct pmon_push_machines *out,
	     struct pmon_err *err)
{
	enum pmon_status status;

	out->n = 0;
	status = push->engine->read_machine(push, name, out, err);
	qsort(out->list, out->n, sizeof(*out->list), by_age);
	return status;
}

// Is this the first id, or an accepted one?
static bool
has(struct pmon_push_machines *machines, const char *id)
{
	const struct pmon_push_machine *machine =
		find(machines, (struct pmon_span){id, PMON_MACHINE_ID});

	return machine != NULL && (machine == &machines->list[0] || machine->is_accepted);
}

// ---- What the log has -----------------------------------------------------------------------

// The name as written in identities, and the labels, stored in `identity`; NULL if out of memory.
static const char *
folded(const struct pmon_push_sink *push, const char *name, struct pmon_push_identity *identity)
{
	struct pmon_span machine = {name, strlen(name)};

	if (!pmon_push_identity_put_machine(identity, push->allocator, machine, &push->labels))
		return NULL;
	return (const char *)identity->text;
}

static void
print_time(pmon_time time, char buf[PMON_TIME_SIZE])
{
	(void)pmon_time_iso(time, buf);
	if (time != PMON_TIME_NONE)
		(void)snprintf(buf + TIME_LEN, PMON_TIME_SIZE - TIME_LEN, "Z");
}

static enum pmon_status
refuse(const struct pmon_push_sink *push, const struct pmon_machine *machine,
       const struct pmon_push_machine *other, struct pmon_err *err)
{
	char stored[PMON_TIME_SIZE];
	char begun[PMON_TIME_SIZE];

	print_time(PMON_TIME_EARLIEST + other->since_s * PMON_TIME_PER_SEC, stored);
	print_time(push->info->log_start, begun);
	return pmon_err_set(err, PMON_E_EXISTS, 0,
			    "another machine is stored as %.40s: its id is %s, first pushed at %s; "
			    "the id of this machine is %s%s%s",
			    machine->name, other->id, stored, machine->id,
			    push->info->log_start != PMON_TIME_NONE ? ", sampled since " : "",
			    push->info->log_start != PMON_TIME_NONE ? begun : "");
}

static enum pmon_status
check_machine(struct pmon_push_sink *push, const struct pmon_machine *machine, const char *name,
	      struct pmon_err *err)
{
	struct pmon_push_machines known;
	bool accepts = push->options.accept_ids;
	enum pmon_status status = read_machine(push, name, &known, err);

	if (status != PMON_OK || has(&known, machine->id))
		return status;
	if (known.n > 0 && !accepts)
		return refuse(push, machine, &known.list[0], err);
	if (push->options.check == PMON_PUSH_VERIFY)
		return PMON_OK;
	status = push->engine->write_machine(push, name, machine->id, known.n > 0, err);
	if (status == PMON_OK)
		status = read_machine(push, name, &known, err);
	if (status != PMON_OK || has(&known, machine->id) || known.n == 0)
		return status;
	return refuse(push, machine, &known.list[0], err); // another push stored its id first
}

// pmon recorded the log without a machine id, but the engine has an id for the machine.
static enum pmon_status
tell_without_id(struct pmon_push_sink *push, const char *name, struct pmon_err *err)
{
	struct pmon_push_machines known;
	char text[256];
	enum pmon_status status = read_machine(push, name, &known, err);

	if (status != PMON_OK || known.n == 0)
		return status;
	(void)snprintf(text, sizeof(text),
		       "the log has no machine id; assuming that it comes from the %.100s stored "
		       "with the id %s",
		       push->info->machine, known.list[0].id);
	pmon_push_tell(&push->options, false, text);
	return PMON_OK;
}

enum pmon_status
pmon_push_check_machines(struct pmon_push_sink *push, struct pmon_err *err)
{
	const struct pmon_source_info *info = push->info;
	struct pmon_push_identity identity = {NULL, 0, 0};
	struct pmon_span machine = {info->machine, strlen(info->machine)};
	enum pmon_status status = PMON_OK;

	if (push->engine->read_machine == NULL)
		return PMON_OK;
	for (size_t i = 0; status == PMON_OK && i < info->n_machines; i++) {
		const char *name = folded(push, info->machines[i].name, &identity);

		status = name != NULL ? check_machine(push, &info->machines[i], name, err)
				      : pmon_err_nomem(err);
	}
	if (status == PMON_OK && info->sampled_by_pmon && machine.len > 0 &&
	    pmon_machine_id(info, machine) == NULL) {
		const char *name = folded(push, info->machine, &identity);

		status = name != NULL ? tell_without_id(push, name, err) : pmon_err_nomem(err);
	}
	pmon_push_identity_free(&identity, push->allocator);
	return status;
}
