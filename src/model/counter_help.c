// counter_help.c - what the common counters of Windows measure, by English name
// SPDX-License-Identifier: MIT
//
// The sentences are pmon's own; the facts are from the documents that each group cites.
// docs/reference/counters.md describes what a type computes, this table what a counter counts.

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
	{"% Processor Time",
	 "Percentage of time that the processor did not run its idle thread. The raw value counts "
	 "idle time, which is why the type is an inverse one."},
	{"% User Time",
	 "Percentage of time that the processor ran in user mode: applications and services."},
	{"% Privileged Time",
	 "Percentage of time that the processor ran in privileged mode: the kernel and drivers, "
	 "including interrupts and deferred procedure calls."},
	{"% Interrupt Time",
	 "Percentage of time that the processor spent handling hardware interrupts."},
	{"% DPC Time", "Percentage of time that the processor ran deferred procedure calls (DPCs); "
		       "included in % Privileged Time, but not in % Interrupt Time."},
	{"% Idle Time", "Percentage of time that the processor was idle."},
	{"% C1 Time", "Percentage of time that the processor was in the C1 low-power state."},
	{"% C2 Time", "Percentage of time that the processor was in the C2 low-power state."},
	{"% C3 Time", "Percentage of time that the processor was in the C3 low-power state."},
	{"Interrupts/sec", "Hardware interrupts received by the processor per second."},
	{"DPCs Queued/sec",
	 "Deferred procedure calls (DPCs) added to the processor's queue per second."},
};

static const struct row memory[] = {
	{"Available Bytes",
	 "Memory immediately available to processes: free, zeroed and standby pages."},
	{"Available KBytes", "Memory immediately available to processes, in KiB."},
	{"Available MBytes", "Memory immediately available to processes, in MiB."},
	{"Committed Bytes", "Committed virtual memory: memory for which space in RAM or the paging "
			    "files is reserved."},
	{"Commit Limit",
	 "Maximum amount of memory that can be committed with the current RAM and paging files."},
	{"% Committed Bytes In Use", "Committed Bytes as a percentage of Commit Limit."},
	{"Page Faults/sec", "Page faults of all processes per second: hard faults, which need the "
			    "disk, and soft faults, which find the page in memory."},
	{"Pages/sec",
	 "Pages read from or written to disk per second because of page faults: the sum of Pages "
	 "Input/sec and Pages Output/sec. Includes files read through the cache."},
	{"Pages Input/sec", "Pages read from disk per second to resolve hard page faults."},
	{"Pages Output/sec", "Modified pages written to disk per second to free memory."},
	{"Page Reads/sec",
	 "Disk reads per second to resolve hard page faults. One read can cover several pages."},
	{"Page Writes/sec",
	 "Disk writes per second to free memory. One write can cover several pages."},
	{"Cache Bytes", "System working set: the file cache, the paged pool, and pageable kernel "
			"and driver code."},
	{"Cache Faults/sec", "Page faults in the file cache per second, hard and soft."},
	{"Demand Zero Faults/sec", "Page faults per second that were resolved with a zeroed page."},
	{"Transition Faults/sec",
	 "Page faults per second that found the page in memory, without disk access."},
	{"Write Copies/sec",
	 "Copy-on-write faults per second: pages copied because a process wrote to a shared page."},
	{"Pool Paged Bytes", "Paged pool: kernel memory that can be paged out."},
	{"Pool Nonpaged Bytes", "Nonpaged pool: kernel memory that cannot be paged out."},
	{"Pool Paged Resident Bytes", "Part of the paged pool that is currently in RAM."},
	{"Free System Page Table Entries", "Unused system page table entries."},
	{"System Cache Resident Bytes", "Part of the file cache that is currently in RAM."},
	{"Modified Page List Bytes", "Modified pages waiting to be written to disk."},
};

static const struct row disk[] = {
	{"% Disk Time", "Total time of all requests as a percentage of the interval. Overlapping "
			"requests add up, so it can exceed 100 %."},
	{"% Disk Read Time", "Total time of all reads as a percentage of the interval."},
	{"% Disk Write Time", "Total time of all writes as a percentage of the interval."},
	{"% Idle Time",
	 "Percentage of time during which the disk was idle. Busy time is 100 % minus this value."},
	{"Avg. Disk sec/Read", "Average read latency, including time in the queue."},
	{"Avg. Disk sec/Write", "Average write latency, including time in the queue."},
	{"Avg. Disk sec/Transfer",
	 "Average latency of reads and writes, including time in the queue."},
	{"Avg. Disk Queue Length", "Average number of requests queued or in service."},
	{"Avg. Disk Read Queue Length", "Average number of reads queued or in service."},
	{"Avg. Disk Write Queue Length", "Average number of writes queued or in service."},
	{"Current Disk Queue Length",
	 "Number of requests queued or in service when the sample was taken."},
	{"Disk Reads/sec", "Reads per second."},
	{"Disk Writes/sec", "Writes per second."},
	{"Disk Transfers/sec", "Reads and writes per second."},
	{"Disk Read Bytes/sec", "Bytes read per second."},
	{"Disk Write Bytes/sec", "Bytes written per second."},
	{"Disk Bytes/sec", "Bytes read and written per second."},
	{"Avg. Disk Bytes/Read", "Average size of reads."},
	{"Avg. Disk Bytes/Write", "Average size of writes."},
	{"Avg. Disk Bytes/Transfer", "Average size of reads and writes."},
	{"Split IO/Sec", "Requests per second that were split into several because of their size "
			 "or fragmentation."},
	{"% Free Space", "Free space as a percentage of the volume's size."},
	{"Free Megabytes", "Free space on the volume in MiB."},
};

static const struct row interface[] = {
	{"Bytes Total/sec", "Bytes received and sent per second, including framing."},
	{"Bytes Received/sec", "Bytes received per second, including framing."},
	{"Bytes Sent/sec", "Bytes sent per second, including framing."},
	{"Packets/sec", "Packets received and sent per second."},
	{"Packets Received/sec", "Packets received per second."},
	{"Packets Sent/sec", "Packets sent per second."},
	{"Current Bandwidth", "Bandwidth of the interface in bit/s, as reported by the interface."},
	{"Output Queue Length", "Length of the output packet queue."},
	{"Packets Outbound Discarded",
	 "Outgoing packets without errors that were discarded, since startup."},
	{"Packets Outbound Errors",
	 "Packets that could not be sent because of errors, since startup."},
	{"Packets Received Discarded",
	 "Received packets without errors that were discarded, since startup."},
	{"Packets Received Errors", "Packets received with errors, since startup."},
	{"Packets Received Unknown", "Received packets discarded because of an unknown or "
				     "unsupported protocol, since startup."},
};

static const struct row process[] = {
	{"% Processor Time", "Processor time of the process as a percentage of the interval. 100 % "
			     "is one processor, so it can exceed 100 %."},
	{"% User Time", "Processor time of the process in user mode. 100 % is one processor."},
	{"% Privileged Time",
	 "Processor time of the process in privileged mode. 100 % is one processor."},
	{"Working Set", "Memory of the process that is in RAM, including shared memory."},
	{"Working Set - Private", "Memory of the process that is in RAM, excluding shared memory."},
	{"Working Set Peak", "Largest working set since the process started."},
	{"Private Bytes", "Committed private memory of the process."},
	{"Virtual Bytes", "Virtual address space in use by the process, whether in RAM or not."},
	{"Page File Bytes", "Paging file space reserved for the process."},
	{"Handle Count", "Number of open handles."},
	{"Thread Count", "Threads of the process."},
	{"ID Process",
	 "Process ID. It distinguishes processes with the same name; its average is meaningless."},
	{"Creating Process ID", "ID of the process that created this one, which may have exited."},
	{"Elapsed Time", "Time since the process started."},
	{"Priority Base", "Base priority of the process; thread priorities are relative to it."},
	{"Page Faults/sec", "Page faults of the process per second, hard and soft."},
	{"IO Data Bytes/sec",
	 "Bytes that the process read and wrote per second: files, network and devices."},
	{"IO Read Bytes/sec",
	 "Bytes that the process read per second: files, network and devices."},
	{"IO Write Bytes/sec",
	 "Bytes that the process wrote per second: files, network and devices."},
	{"IO Other Bytes/sec",
	 "Bytes transferred per second by operations other than reads and writes."},
	{"IO Data Operations/sec", "Reads and writes by the process per second."},
	{"IO Read Operations/sec", "Reads by the process per second."},
	{"IO Write Operations/sec", "Writes by the process per second."},
	{"Pool Paged Bytes", "Paged pool charged to the process."},
	{"Pool Nonpaged Bytes", "Nonpaged pool charged to the process."},
};

static const struct row system[] = {
	{"Processor Queue Length",
	 "Number of ready threads waiting for a processor, for all processors together."},
	{"Context Switches/sec", "Context switches per second on all processors."},
	{"System Calls/sec", "System calls per second."},
	{"System Up Time", "Time since the system started."},
	{"Processes", "Number of processes when the sample was taken."},
	{"Threads", "Number of threads when the sample was taken."},
	{"File Read Operations/sec", "File system reads per second."},
	{"File Write Operations/sec", "File system writes per second."},
	{"File Read Bytes/sec", "Bytes read from file systems per second."},
	{"File Write Bytes/sec", "Bytes written to file systems per second."},
	{"Exception Dispatches/sec", "Exceptions dispatched per second."},
	{"% Registry Quota In Use", "Registry size as a percentage of the allowed maximum."},
};

static const struct row paging_file[] = {
	{"% Usage", "Percentage of the paging file in use."},
	{"% Usage Peak", "Peak percentage of the paging file in use."},
};

static const struct row tcp[] = {
	{"Connections Established", "Connections in the state ESTABLISHED or CLOSE-WAIT."},
	{"Connections Active", "Connections opened by this machine (active opens), since startup."},
	{"Connections Passive",
	 "Connections accepted by this machine (passive opens), since startup."},
	{"Connection Failures", "Failed connection attempts, since startup."},
	{"Connections Reset", "Established connections that were reset, since startup."},
	{"Segments/sec", "Segments received and sent per second."},
	{"Segments Received/sec", "Segments received per second, including those with errors."},
	{"Segments Sent/sec", "Segments sent per second, excluding retransmissions."},
	{"Segments Retransmitted/sec", "Segments retransmitted per second."},
};

static const struct row buffer_manager[] = {
	{"Buffer cache hit ratio",
	 "Percentage of pages found in the buffer pool without reading from disk."},
	{"Page life expectancy",
	 "Seconds that a page stays in the buffer pool without references."},
	{"Page reads/sec", "Database pages read from disk per second."},
	{"Page writes/sec", "Database pages written to disk per second."},
	{"Lazy writes/sec", "Buffers written per second by the lazy writer to free them."},
	{"Checkpoint pages/sec",
	 "Pages flushed to disk per second by checkpoints and similar operations."},
	{"Page lookups/sec", "Requests per second to find a page in the buffer pool."},
	{"Readahead pages/sec", "Pages read ahead from disk per second."},
	{"Free list stalls/sec", "Requests per second that had to wait for a free page."},
	{"Database pages", "Database pages in the buffer pool."},
};

static const struct row sql_statistics[] = {
	{"Batch Requests/sec", "Command batches received per second."},
	{"SQL Compilations/sec", "Statement compilations per second, including recompilations."},
	{"SQL Re-Compilations/sec", "Statement recompilations per second."},
};

static const struct row general_statistics[] = {
	{"User Connections", "Number of users currently connected."},
	{"Logins/sec", "Logins per second, excluding pooled connections."},
	{"Logouts/sec", "Logouts per second."},
	{"Processes blocked", "Number of blocked processes."},
	{"Transactions", "Number of active transactions."},
};

static const struct row access_methods[] = {
	{"Full Scans/sec", "Full table and index scans per second."},
	{"Index Searches/sec", "Index searches per second."},
	{"Page Splits/sec", "Page splits per second because of index page overflow."},
	{"Forwarded Records/sec", "Records fetched through forwarding pointers per second."},
	{"Workfiles Created/sec",
	 "Work files created per second, for hash joins and similar operations."},
	{"Worktables Created/sec",
	 "Work tables created per second, for spools, sorts and similar operations."},
};

static const struct row locks[] = {
	{"Lock Waits/sec", "Lock requests per second that had to wait."},
	{"Lock Requests/sec", "Lock requests per second."},
	{"Lock Timeouts/sec", "Lock requests per second that timed out."},
	{"Number of Deadlocks/sec", "Lock requests per second that resulted in a deadlock."},
	{"Average Wait Time (ms)",
	 "Average wait in milliseconds of the lock requests that had to wait."},
};

static const struct row memory_manager[] = {
	{"Total Server Memory (KB)", "Memory committed by the server, in KiB."},
	{"Target Server Memory (KB)", "Ideal amount of memory for the server, in KiB."},
	{"Memory Grants Pending", "Processes waiting for a query memory grant."},
	{"Memory Grants Outstanding", "Processes that have a query memory grant."},
};

static const struct row databases[] = {
	{"Transactions/sec", "Transactions started in the database per second."},
	{"Log Flushes/sec", "Transaction log flushes per second."},
	{"Log Flush Waits/sec", "Commits per second that had to wait for a log flush."},
	{"Log Growths", "Number of times that the log has grown, since startup."},
	{"Percent Log Used", "Percentage of the transaction log in use."},
	{"Data File(s) Size (KB)", "Size of the database's data files, in KiB."},
};

static const struct row clr_memory[] = {
	{"# Bytes in all Heaps", "Size of the managed heaps after the last collection."},
	{"% Time in GC", "Percentage of the time since the preceding collection that the last "
			 "collection took. It changes only at a collection."},
	{"# Gen 0 Collections", "Generation 0 collections since the process started, including "
				"those of older generations."},
	{"# Gen 1 Collections",
	 "Generation 1 collections since the process started, including those of generation 2."},
	{"# Gen 2 Collections", "Generation 2 collections since the process started."},
	{"# Induced GC", "Collections induced by the program, since it started."},
	{"Allocated Bytes/sec", "Bytes allocated on the heaps per second; updated at collections."},
	{"Large Object Heap size", "Size of the large object heap."},
};

static const struct row clr_exceptions[] = {
	{"# of Exceps Thrown", "Exceptions thrown since the process started."},
	{"# of Exceps Thrown / sec", "Exceptions thrown per second."},
};

static const struct row clr_locks[] = {
	{"Contention Rate / sec", "Contended attempts per second to acquire a managed lock."},
	{"Total # of Contentions",
	 "Contended attempts to acquire a managed lock, since the process started."},
	{"Current Queue Length", "Threads waiting for a managed lock."},
};

static const struct row web_service[] = {
	{"Current Connections", "Current connections to the site."},
	{"Total Method Requests/sec", "HTTP requests per second, all methods."},
	{"Get Requests/sec", "GET requests per second."},
	{"Post Requests/sec", "POST requests per second."},
	{"Bytes Total/sec", "Bytes received and sent per second."},
	{"Bytes Sent/sec", "Bytes sent per second."},
	{"Bytes Received/sec", "Bytes received per second."},
	{"Not Found Errors/sec", "Requests per second answered with 404 (not found)."},
	{"Service Uptime", "Seconds since the site started."},
};

static const struct row asp_net[] = {
	{"Requests Queued", "Requests waiting to be processed."},
	{"Requests Current", "Requests that are queued, being processed or waiting to be sent."},
	{"Requests Rejected", "Requests rejected because the queue was full, since startup."},
	{"Request Wait Time",
	 "Time that the most recent request waited in the queue, in milliseconds."},
	{"Request Execution Time", "Execution time of the most recent request, in milliseconds."},
	{"Application Restarts", "Application restarts since the server started."},
	{"Worker Process Restarts", "Worker process restarts since the machine started."},
};

static const struct row asp_net_applications[] = {
	{"Requests/Sec", "Requests handled by the application per second."},
	{"Requests Executing", "Requests being executed."},
	{"Requests In Application Queue", "Requests waiting in the application's queue."},
	{"Errors Total/Sec", "Errors per second while processing requests."},
	{"Sessions Active", "Active sessions."},
};

#define GROUP(object, rows, source)                                                                \
	{                                                                                          \
		object, rows, sizeof(rows) / sizeof((rows)[0]), source                             \
	}

// The pattern covers named instances: objects of SQL Server are SQLServer: or MSSQL$NAME:.
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
		*out = (struct pmon_counter_help){.text = group->rows[i].help,
						  .source = group->source};
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
