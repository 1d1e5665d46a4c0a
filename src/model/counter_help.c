// counter_help.c - what the common counters of Windows measure, by their English names
// SPDX-License-Identifier: MIT
//
// The sentences are our own; the facts are from the documents that each group names. docs/reference/counters.md
// has what a type computes, this table has what a counter counts.

#include <pmon/model.h>

#include <string.h>

#define WINDOWS "Windows Server 2003 Performance Counters Reference"
#define DISKS   WINDOWS "; KB269481"
#define SQL     "https://learn.microsoft.com/sql/relational-databases/performance-monitor/"
#define DOTNET                                                                                     \
	"https://learn.microsoft.com/dotnet/framework/debug-trace-profile/performance-counters"
#define IIS    "Internet Information Services 6.0, Performance Counters Reference"
#define ASPNET ".NET Framework documentation, Performance Counters for ASP.NET"

struct row {
	const char *counter;
	const char *help;
};

static const struct row processor[] = {
	{"% Processor Time", "Share of time in which the processor did not run its idle thread. "
			     "The raw value counts idle "
			     "time, which is why its type is an inverse one."},
	{"% User Time",
	 "Share of time that the processor ran in user mode: applications and services."},
	{"% Privileged Time", "Share of time that the processor ran in privileged mode: the kernel "
			      "and drivers, interrupts "
			      "and deferred calls included."},
	{"% Interrupt Time", "Share of time that the processor handled interrupts of hardware."},
	{"% DPC Time", "Share of time that the processor ran deferred procedure calls; part of the "
		       "privileged time, and not of the interrupt time."},
	{"% Idle Time", "Share of time in which the processor had nothing to run."},
	{"% C1 Time", "Share of time that the processor was in the C1 state of low power."},
	{"% C2 Time", "Share of time that the processor was in the C2 state of low power."},
	{"% C3 Time", "Share of time that the processor was in the C3 state of low power."},
	{"Interrupts/sec", "Interrupts of hardware that the processor received, each second."},
	{"DPCs Queued/sec",
	 "Deferred procedure calls put into the processor's queue, each second."},
};

static const struct row memory[] = {
	{"Available Bytes",
	 "Memory that processes can have at once: free, zeroed and standby pages."},
	{"Available KBytes", "Memory that processes can have at once, in KiB."},
	{"Available MBytes", "Memory that processes can have at once, in MiB."},
	{"Committed Bytes",
	 "Virtual memory for which room in memory or in a paging file is promised."},
	{"Commit Limit",
	 "How much memory can be committed: memory and the paging files as they are now."},
	{"% Committed Bytes In Use", "Committed bytes as a share of the commit limit."},
	{"Page Faults/sec",
	 "Page faults of all processes, each second: hard ones, which need the disk, "
	 "and soft ones, which find the page in memory."},
	{"Pages/sec",
	 "Pages read from disk and written to disk for page faults, each second: Pages "
	 "Input/sec and Pages Output/sec together. Files that are read through the cache count."},
	{"Pages Input/sec", "Pages read from disk to resolve hard page faults, each second."},
	{"Pages Output/sec", "Changed pages written to disk to free memory, each second."},
	{"Page Reads/sec",
	 "Reads of disk for hard page faults, each second. One may read several pages."},
	{"Page Writes/sec",
	 "Writes of pages to disk to free memory, each second. One may write several "
	 "pages."},
	{"Cache Bytes",
	 "Memory that the system's working set takes: the file cache, paged pool, and "
	 "pageable code of the kernel and of drivers."},
	{"Cache Faults/sec", "Page faults in the file cache, each second, hard and soft."},
	{"Demand Zero Faults/sec", "Faults that are resolved by a page of zeros, each second."},
	{"Transition Faults/sec",
	 "Faults that found their page in memory, each second, without the disk."},
	{"Write Copies/sec",
	 "Pages copied because a process wrote into a page that it shared, each "
	 "second."},
	{"Pool Paged Bytes", "Kernel memory that may be written to disk."},
	{"Pool Nonpaged Bytes", "Kernel memory that always stays in memory."},
	{"Pool Paged Resident Bytes", "The part of the paged pool that is in memory now."},
	{"Free System Page Table Entries",
	 "Entries of the system's page table that are not in use."},
	{"System Cache Resident Bytes", "The part of the file cache that is in memory now."},
	{"Modified Page List Bytes",
	 "Memory of pages that were changed and wait to be written to disk."},
};

static const struct row disk[] = {
	{"% Disk Time",
	 "Sum of the times of all requests as a share of the interval. Requests that "
	 "overlap count each, so that it may exceed 100 %."},
	{"% Disk Read Time", "Sum of the times of all reads as a share of the interval."},
	{"% Disk Write Time", "Sum of the times of all writes as a share of the interval."},
	{"% Idle Time",
	 "Share of time in which the disk had no request. 100 less this is how busy it was."},
	{"Avg. Disk sec/Read", "Time that a read takes, its wait in the queue included."},
	{"Avg. Disk sec/Write", "Time that a write takes, its wait in the queue included."},
	{"Avg. Disk sec/Transfer",
	 "Time that a read or a write takes, its wait in the queue included."},
	{"Avg. Disk Queue Length", "Requests that were waiting or in service, on average."},
	{"Avg. Disk Read Queue Length", "Reads that were waiting or in service, on average."},
	{"Avg. Disk Write Queue Length", "Writes that were waiting or in service, on average."},
	{"Current Disk Queue Length",
	 "Requests waiting or in service at the moment of the sample."},
	{"Disk Reads/sec", "Reads, each second."},
	{"Disk Writes/sec", "Writes, each second."},
	{"Disk Transfers/sec", "Reads and writes, each second."},
	{"Disk Read Bytes/sec", "Bytes read, each second."},
	{"Disk Write Bytes/sec", "Bytes written, each second."},
	{"Disk Bytes/sec", "Bytes read and written, each second."},
	{"Avg. Disk Bytes/Read", "Bytes of a read, on average."},
	{"Avg. Disk Bytes/Write", "Bytes of a write, on average."},
	{"Avg. Disk Bytes/Transfer", "Bytes of a read or a write, on average."},
	{"Split IO/Sec",
	 "Requests that were split into several, each second, by size or fragmentation."},
	{"% Free Space", "Free space as a share of the volume."},
	{"Free Megabytes", "Free space of the volume in MiB."},
};

static const struct row interface[] = {
	{"Bytes Total/sec", "Bytes received and sent, each second, framing included."},
	{"Bytes Received/sec", "Bytes received, each second, framing included."},
	{"Bytes Sent/sec", "Bytes sent, each second, framing included."},
	{"Packets/sec", "Packets received and sent, each second."},
	{"Packets Received/sec", "Packets received, each second."},
	{"Packets Sent/sec", "Packets sent, each second."},
	{"Current Bandwidth", "Speed of the interface in bits a second, as it reports it."},
	{"Output Queue Length", "Packets that wait to be sent."},
	{"Packets Outbound Discarded",
	 "Packets that were not sent though nothing was wrong with them, "
	 "since the start."},
	{"Packets Outbound Errors", "Packets that could not be sent for errors, since the start."},
	{"Packets Received Discarded",
	 "Packets that were received and dropped though nothing was wrong "
	 "with them, since the start."},
	{"Packets Received Errors", "Packets received with errors, since the start."},
	{"Packets Received Unknown",
	 "Packets received of a protocol that nobody wants, since the start."},
};

static const struct row process[] = {
	{"% Processor Time",
	 "Time that the process's threads ran, as a share of the interval. 100 % is one "
	 "processor, so that it may exceed 100 %."},
	{"% User Time",
	 "Time that the process's threads ran in user mode. 100 % is one processor."},
	{"% Privileged Time",
	 "Time that the process's threads ran in the kernel. 100 % is one processor."},
	{"Working Set", "Memory of the process that is in RAM, with what it shares with others."},
	{"Working Set - Private", "Memory of the process that is in RAM and is not shared."},
	{"Working Set Peak", "Largest working set since the process started."},
	{"Private Bytes", "Memory that the process has committed and does not share."},
	{"Virtual Bytes", "Address space that the process uses, in memory or not."},
	{"Page File Bytes", "Memory that the process has committed against the paging files."},
	{"Handle Count", "Handles that the process has open."},
	{"Thread Count", "Threads of the process."},
	{"ID Process",
	 "Number of the process. It tells processes of one name apart; an average of it means "
	 "nothing."},
	{"Creating Process ID",
	 "Number of the process that started this one, which may have ended since."},
	{"Elapsed Time", "Time since the process started."},
	{"Priority Base",
	 "Base priority of the process, to which those of its threads are relative."},
	{"Page Faults/sec", "Page faults of the process, each second, hard and soft."},
	{"IO Data Bytes/sec",
	 "Bytes that the process read and wrote, each second: files, network and "
	 "devices."},
	{"IO Read Bytes/sec",
	 "Bytes that the process read, each second: files, network and devices."},
	{"IO Write Bytes/sec",
	 "Bytes that the process wrote, each second: files, network and devices."},
	{"IO Other Bytes/sec", "Bytes of operations that are neither read nor write, each second."},
	{"IO Data Operations/sec", "Reads and writes of the process, each second."},
	{"IO Read Operations/sec", "Reads of the process, each second."},
	{"IO Write Operations/sec", "Writes of the process, each second."},
	{"Pool Paged Bytes", "Paged kernel memory charged to the process."},
	{"Pool Nonpaged Bytes", "Nonpaged kernel memory charged to the process."},
};

static const struct row system[] = {
	{"Processor Queue Length", "Threads that are ready and wait for a processor, those of all "
				   "processors together."},
	{"Context Switches/sec",
	 "Switches of a processor from one thread to another, each second."},
	{"System Calls/sec", "Calls of the kernel's services, each second."},
	{"System Up Time", "Time since the system was started."},
	{"Processes", "Processes at the moment of the sample."},
	{"Threads", "Threads at the moment of the sample."},
	{"File Read Operations/sec", "Reads of file systems, each second."},
	{"File Write Operations/sec", "Writes of file systems, each second."},
	{"File Read Bytes/sec", "Bytes read from file systems, each second."},
	{"File Write Bytes/sec", "Bytes written to file systems, each second."},
	{"Exception Dispatches/sec", "Exceptions handed to handlers, each second."},
	{"% Registry Quota In Use", "Registry size as a share of what is allowed."},
};

static const struct row paging_file[] = {
	{"% Usage", "Share of the paging file that is in use."},
	{"% Usage Peak", "Largest share of the paging file that was in use."},
};

static const struct row tcp[] = {
	{"Connections Established", "Connections that are established or waiting to close now."},
	{"Connections Active", "Connections that this machine opened, since the start."},
	{"Connections Passive", "Connections that others opened to this machine, since the start."},
	{"Connection Failures", "Attempts that failed, since the start."},
	{"Connections Reset", "Established connections that were reset, since the start."},
	{"Segments/sec", "Segments received and sent, each second."},
	{"Segments Received/sec", "Segments received, each second, those with errors included."},
	{"Segments Sent/sec", "Segments sent, each second, without those sent again."},
	{"Segments Retransmitted/sec", "Segments sent again, each second."},
};

static const struct row buffer_manager[] = {
	{"Buffer cache hit ratio",
	 "Share of pages that were found in the buffer pool without the disk."},
	{"Page life expectancy",
	 "Seconds that a page stays in the buffer pool without being used."},
	{"Page reads/sec", "Database pages read from disk, each second."},
	{"Page writes/sec", "Database pages written to disk, each second."},
	{"Lazy writes/sec", "Buffers that the lazy writer wrote to free them, each second."},
	{"Checkpoint pages/sec", "Pages written by checkpoints and the like, each second."},
	{"Page lookups/sec", "Requests to find a page in the buffer pool, each second."},
	{"Readahead pages/sec", "Pages read from disk before they were asked for, each second."},
	{"Free list stalls/sec", "Requests that had to wait for a free page, each second."},
	{"Database pages", "Pages of databases in the buffer pool."},
};

static const struct row sql_statistics[] = {
	{"Batch Requests/sec", "Batches of commands received, each second."},
	{"SQL Compilations/sec",
	 "Compilations of statements, recompilations included, each second."},
	{"SQL Re-Compilations/sec", "Recompilations of statements, each second."},
};

static const struct row general_statistics[] = {
	{"User Connections", "Users that are connected now."},
	{"Logins/sec", "Logins, each second, those from a pool of connections not included."},
	{"Logouts/sec", "Logouts, each second."},
	{"Processes blocked", "Processes that wait for a lock of another."},
	{"Transactions", "Transactions that are under way now."},
};

static const struct row access_methods[] = {
	{"Full Scans/sec", "Full scans of tables and indexes, each second."},
	{"Index Searches/sec", "Searches of indexes, each second."},
	{"Page Splits/sec", "Pages split because an index entry did not fit, each second."},
	{"Forwarded Records/sec", "Records fetched through a forwarding pointer, each second."},
	{"Workfiles Created/sec", "Work files of hash joins and the like, each second."},
	{"Worktables Created/sec", "Work tables of spools, sorts and the like, each second."},
};

static const struct row locks[] = {
	{"Lock Waits/sec", "Lock requests that had to wait, each second."},
	{"Lock Requests/sec", "Requests for locks, each second."},
	{"Lock Timeouts/sec", "Lock requests that timed out, each second."},
	{"Number of Deadlocks/sec", "Lock requests that ended in a deadlock, each second."},
	{"Average Wait Time (ms)",
	 "Milliseconds that a lock request waited, of those that waited."},
};

static const struct row memory_manager[] = {
	{"Total Server Memory (KB)", "Memory that the server has committed, in KiB."},
	{"Target Server Memory (KB)", "Memory that the server would like to have, in KiB."},
	{"Memory Grants Pending", "Processes that wait for memory to run a query."},
	{"Memory Grants Outstanding", "Processes that were given memory to run a query."},
};

static const struct row databases[] = {
	{"Transactions/sec", "Transactions begun in the database, each second."},
	{"Log Flushes/sec", "Writes of the transaction log, each second."},
	{"Log Flush Waits/sec", "Commits that had to wait for the log, each second."},
	{"Log Growths", "How often the log has grown, since the start."},
	{"Percent Log Used", "Share of the transaction log that is in use."},
	{"Data File(s) Size (KB)", "Size of the data files of the database, in KiB."},
};

static const struct row clr_memory[] = {
	{"# Bytes in all Heaps", "Memory of the managed heaps after the last collection."},
	{"% Time in GC",
	 "Share of time spent in the last collection since the one before it. It changes "
	 "with a collection only."},
	{"# Gen 0 Collections",
	 "Collections of generation 0, those of older ones included, since the "
	 "start of the process."},
	{"# Gen 1 Collections",
	 "Collections of generation 1, those of older ones included, since the "
	 "start of the process."},
	{"# Gen 2 Collections", "Collections of generation 2, since the start of the process."},
	{"# Induced GC", "Collections that the program asked for, since its start."},
	{"Allocated Bytes/sec",
	 "Bytes allocated on the heaps, each second; counted at collections."},
	{"Large Object Heap size", "Size of the heap of large objects."},
};

static const struct row clr_exceptions[] = {
	{"# of Exceps Thrown", "Exceptions thrown, since the start of the process."},
	{"# of Exceps Thrown / sec", "Exceptions thrown, each second."},
};

static const struct row clr_locks[] = {
	{"Contention Rate / sec",
	 "Attempts to take a managed lock that did not succeed at once, each "
	 "second."},
	{"Total # of Contentions",
	 "Attempts to take a managed lock that did not succeed at once, since "
	 "the start of the process."},
	{"Current Queue Length", "Threads that wait for a managed lock."},
};

static const struct row web_service[] = {
	{"Current Connections", "Connections to the site now."},
	{"Total Method Requests/sec", "HTTP requests of every method, each second."},
	{"Get Requests/sec", "GET requests, each second."},
	{"Post Requests/sec", "POST requests, each second."},
	{"Bytes Total/sec", "Bytes received and sent, each second."},
	{"Bytes Sent/sec", "Bytes sent, each second."},
	{"Bytes Received/sec", "Bytes received, each second."},
	{"Not Found Errors/sec", "Requests for what is not there (404), each second."},
	{"Service Uptime", "Seconds since the site was started."},
};

static const struct row asp_net[] = {
	{"Requests Queued", "Requests that wait to be handled."},
	{"Requests Current", "Requests that are queued, handled or waiting to be sent."},
	{"Requests Rejected", "Requests refused because the queue was full, since the start."},
	{"Request Wait Time", "Milliseconds that the latest request waited in the queue."},
	{"Request Execution Time", "Milliseconds that the latest request took to run."},
	{"Application Restarts", "Restarts of applications, since the start of the server."},
	{"Worker Process Restarts",
	 "Restarts of worker processes, since the start of the machine."},
};

static const struct row asp_net_applications[] = {
	{"Requests/Sec", "Requests that the application handled, each second."},
	{"Requests Executing", "Requests that are being handled."},
	{"Requests In Application Queue", "Requests that wait in the application's own queue."},
	{"Errors Total/Sec", "Errors while requests were handled, each second."},
	{"Sessions Active", "Sessions that are active."},
};

#define GROUP(object, rows, source)                                                                \
	{                                                                                          \
		object, rows, sizeof(rows) / sizeof((rows)[0]), source                             \
	}

// Objects by pattern: instances of SQL Server are SQLServer: or MSSQL$NAME:.
static const struct group {
	const char *object;
	const struct row *rows;
	size_t n;
	const char *source;
} groups[] = {
	GROUP("Processor", processor, WINDOWS),
	GROUP("Processor Information", processor, WINDOWS),
	GROUP("Memory", memory, WINDOWS),
	GROUP("PhysicalDisk", disk, DISKS),
	GROUP("LogicalDisk", disk, DISKS),
	GROUP("Network Interface", interface, WINDOWS),
	GROUP("Network Adapter", interface, WINDOWS),
	GROUP("Process", process, WINDOWS),
	GROUP("Process V2", process, WINDOWS),
	GROUP("System", system, WINDOWS),
	GROUP("Paging File", paging_file, WINDOWS),
	GROUP("TCPv4", tcp, WINDOWS),
	GROUP("TCPv6", tcp, WINDOWS),
	GROUP("TCP", tcp, WINDOWS),
	GROUP("*SQL*:Buffer Manager", buffer_manager, SQL "sql-server-buffer-manager-object"),
	GROUP("*SQL*:SQL Statistics", sql_statistics, SQL "sql-server-sql-statistics-object"),
	GROUP("*SQL*:General Statistics", general_statistics,
	      SQL "sql-server-general-statistics-object"),
	GROUP("*SQL*:Access Methods", access_methods, SQL "sql-server-access-methods-object"),
	GROUP("*SQL*:Locks", locks, SQL "sql-server-locks-object"),
	GROUP("*SQL*:Memory Manager", memory_manager, SQL "sql-server-memory-manager-object"),
	GROUP("*SQL*:Databases", databases, SQL "sql-server-databases-object"),
	GROUP(".NET CLR Memory", clr_memory, DOTNET),
	GROUP(".NET CLR Exceptions", clr_exceptions, DOTNET),
	GROUP(".NET CLR LocksAndThreads", clr_locks, DOTNET),
	GROUP("Web Service", web_service, IIS),
	GROUP("ASP.NET", asp_net, ASPNET),
	GROUP("ASP.NET v*", asp_net, ASPNET),
	GROUP("ASP.NET Applications", asp_net_applications, ASPNET),
	GROUP("ASP.NET Apps v*", asp_net_applications, ASPNET),
};

static struct pmon_span
span_of(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

static bool
find(const struct group *group, struct pmon_span counter, struct pmon_counter_help *out)
{
	for (size_t i = 0; i < group->n; i++) {
		if (!pmon_text_same(span_of(group->rows[i].counter), counter))
			continue;
		*out = (struct pmon_counter_help){group->rows[i].help, group->source};
		return true;
	}
	return false;
}

bool
pmon_counter_help(const struct pmon_path *path, struct pmon_counter_help *out)
{
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		if (pmon_text_match(span_of(groups[i].object), path->object) &&
		    find(&groups[i], path->counter, out))
			return true;
	return false;
}
