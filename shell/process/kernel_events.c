// kernel_events.c - failures of processes and disks in the kernel's log
// SPDX-License-Identifier: MIT
//
// Sources of the messages: mm/oom_kill.c, __oom_kill_process(); kernel/hung_task.c, check_hung_task(); arch/x86/mm/fault.c,
// show_signal_msg(), and kernel/traps of others; block/blk-mq.c, blk_print_req_error().

#include "shell/process/kernel_events.h"

#include <string.h>

#include "base/scan.h"

// ---- A line ---------------------------------------------------------------------------------

// "<4>[ 3216.581972] text": the time, and the text after it.
static bool
read_head(struct pmon_span line, int64_t *time_100ns, struct pmon_span *text)
{
	struct pmon_scan s = pmon_scan_init(line);
	uint64_t level;
	uint64_t seconds;
	uint64_t micros;

	if (pmon_scan_take(&s, '<') && (!pmon_scan_u64(&s, &level) || !pmon_scan_take(&s, '>')))
		return false;
	if (!pmon_scan_take(&s, '['))
		return false;
	while (pmon_scan_take(&s, ' '))
		continue;
	if (!pmon_scan_u64(&s, &seconds) || !pmon_scan_take(&s, '.') ||
	    !pmon_scan_u64(&s, &micros) || !pmon_scan_take(&s, ']') ||
	    seconds > INT64_MAX / PMON_TIME_PER_SEC - 1)
		return false;
	(void)pmon_scan_take(&s, ' ');
	*time_100ns = (int64_t)seconds * PMON_TIME_PER_SEC;
	*text = (struct pmon_span){s.at, (size_t)(s.end - s.at)};
	return true;
}

// Find a phrase; *rest is what follows it.
static bool
find_after(struct pmon_span text, const char *what, struct pmon_span *rest)
{
	size_t len = strlen(what);

	for (size_t i = 0; i + len <= text.len; i++)
		if (memcmp(text.ptr + i, what, len) == 0) {
			*rest = (struct pmon_span){text.ptr + i + len, text.len - i - len};
			return true;
		}
	return false;
}

static void
keep_name(struct kernel_event *event, const char *name, size_t len)
{
	len = len < KERNEL_EVENT_NAME - 1 ? len : KERNEL_EVENT_NAME - 1;
	memcpy(event->name, name, len);
	event->name[len] = '\0';
}

static void
keep_pid(struct kernel_event *event, struct pmon_span digits)
{
	struct pmon_scan s = pmon_scan_init(digits);
	uint64_t pid;

	event->pid = pmon_scan_u64(&s, &pid) && pid <= INT32_MAX ? (int64_t)pid : -1;
}

// Find the last such character before `end`; NULL if there is none.
static const char *
last_of(const char *begin, const char *end, char c)
{
	while (end > begin)
		if (*--end == c)
			return end;
	return NULL;
}

// "... Killed process 77 (name) total-vm: ...": a name may contain parentheses.
static bool
read_kill(struct pmon_span text, struct kernel_event *event)
{
	struct pmon_span rest;
	struct pmon_span name;
	struct pmon_span after;

	if (!find_after(text, "ut of memory: Killed process ", &rest) ||
	    !find_after(rest, " (", &name))
		return false;
	keep_pid(event, rest);
	if (find_after(name, ") total-vm", &after))
		keep_name(event, name.ptr, name.len - after.len - strlen(") total-vm"));
	return true;
}

// "INFO: task name:77 blocked for more than 120 seconds."
static bool
read_hung(struct pmon_span text, struct kernel_event *event)
{
	struct pmon_span rest;
	struct pmon_span after;
	const char *end;
	const char *colon;

	if (!find_after(text, "INFO: task ", &rest) ||
	    !find_after(rest, " blocked for more than ", &after))
		return false;
	end = after.ptr - strlen(" blocked for more than ");
	colon = last_of(rest.ptr, end, ':');
	if (colon == NULL)
		return true;
	keep_name(event, rest.ptr, (size_t)(colon - rest.ptr));
	keep_pid(event, (struct pmon_span){colon + 1, (size_t)(end - colon - 1)});
	return true;
}

// "name[77]: segfault at 118 ip ...", "traps: name[77] general protection fault ..."
static bool
read_crash(struct pmon_span text, struct kernel_event *event)
{
	static const char *const whats[] = {"]: segfault at ", "] general protection fault",
					    "] trap invalid opcode", "] trap divide error"};
	struct pmon_span after;
	struct pmon_span name = text;
	const char *end;
	const char *bracket;
	size_t i = 0;

	while (i < sizeof(whats) / sizeof(whats[0]) && !find_after(text, whats[i], &after))
		i++;
	if (i == sizeof(whats) / sizeof(whats[0]))
		return false;
	end = after.ptr - strlen(whats[i]);
	if (text.len > strlen("traps: ") && memcmp(text.ptr, "traps: ", strlen("traps: ")) == 0)
		name.ptr += strlen("traps: ");
	bracket = last_of(name.ptr, end, '[');
	if (bracket == NULL)
		return false;
	keep_name(event, name.ptr, (size_t)(bracket - name.ptr));
	keep_pid(event, (struct pmon_span){bracket + 1, (size_t)(end - bracket - 1)});
	return true;
}

// "I/O error, dev sda, sector 2048 op ..."
static bool
read_io_error(struct pmon_span text, struct kernel_event *event)
{
	struct pmon_span rest;
	const char *comma;

	if (!find_after(text, "I/O error, dev ", &rest))
		return false;
	comma = memchr(rest.ptr, ',', rest.len);
	if (comma != NULL)
		keep_name(event, rest.ptr, (size_t)(comma - rest.ptr));
	return true;
}

// ---- All lines ------------------------------------------------------------------------------

static void
note_line(struct pmon_span line, int64_t now_100ns, int64_t oldest_100ns,
	  struct kernel_event out[KERNEL_EVENT_KINDS])
{
	static bool (*const readers[KERNEL_EVENT_KINDS])(struct pmon_span text,
							 struct kernel_event * event) = {
		[KERNEL_OUT_OF_MEMORY] = read_kill,
		[KERNEL_HUNG] = read_hung,
		[KERNEL_CRASHED] = read_crash,
		[KERNEL_IO_ERROR] = read_io_error};
	struct pmon_span text;
	int64_t time;

	if (!read_head(line, &time, &text) || time < now_100ns - oldest_100ns)
		return;
	for (size_t kind = 0; kind < KERNEL_EVENT_KINDS; kind++) {
		struct kernel_event event = {.times = out[kind].times + 1, .pid = -1};

		if (!readers[kind](text, &event))
			continue;
		event.ago_100ns = time < now_100ns ? now_100ns - time : 0;
		out[kind] = event;
		return;
	}
}

void
kernel_events_find(struct pmon_span log, int64_t now_100ns, int64_t oldest_100ns,
		   struct kernel_event out[KERNEL_EVENT_KINDS])
{
	for (size_t kind = 0; kind < KERNEL_EVENT_KINDS; kind++)
		out[kind] = (struct kernel_event){.pid = -1};
	for (size_t at = 0; at < log.len;) {
		const char *end = memchr(log.ptr + at, '\n', log.len - at);
		size_t n = end != NULL ? (size_t)(end - log.ptr) - at : log.len - at;

		note_line((struct pmon_span){log.ptr + at, n}, now_100ns, oldest_100ns, out);
		at += n + 1;
	}
}
