"""Kinds of trouble, each a change of the causes of a made-up server (world.py), with its truth. And healthy servers
that look odd. A family draws its place, size and time from `dice`; a twin is the same world without the call."""

import re

import raw
from world import GIB, MIB, stamp

FAMILIES = {}       # name: (group, role, function, what its world needs)
ODD = {}            # name: (role, function, needs)


def family(group, role, **needs):
    def keep(function):
        FAMILIES[function.__name__] = (group, role, function, needs)
        return function
    return keep


def odd(role, **needs):
    def keep(function):
        ODD[function.__name__] = (role, function, needs)
        return function
    return keep


# ---- What the functions share -------------------------------------------------------------------

def between(w, dice, shortest, longest=None):
    """First and last sample of an interval of so many seconds somewhere in the middle of the log."""
    seconds = dice.uniform(shortest, longest or shortest)
    length = max(4, round(seconds / w.step))
    first = dice.randrange(w.n // 5, w.n * 4 // 5 - length)
    return first, first + length - 1


def from_start(w, dice):
    """A leak mostly begins before the log does."""
    return 0 if dice.random() < 0.6 else dice.randrange(w.n // 8, w.n // 3)


def truth(w, resource, paths, first, last, kind="pulse", instance="", culprit=None, **more):
    found = {"resource": resource.split("|"), "paths": paths, "instance": instance, "kind": kind, "first": first,
             "last": last, "from": stamp(w, w.times[first]), "to": stamp(w, w.times[last]), "culprit": None}
    if culprit:
        found["culprit"] = {"name": culprit.name, "instance": culprit.instance, "pid": culprit.pid[min(last, w.n - 1)]}
    found.update(more)
    return found


def of_process(q, counter):
    return "Process(%s)\\%s" % (q.instance, counter)


def path(text):
    return re.escape(text) + "$"


def grow(w, values, first, per_hour):
    for i in range(first, w.n):
        values[i] += per_hour * (w.times[i] - w.times[first]) / 3600


def use_cpu(w, q, first, last, processors, dice):
    """A process takes so many processors; what it did before is part of it."""
    for i in range(first, last + 1):
        q.cpu[i] += 100 * processors * dice.uniform(0.96, 1.02)


def leaker(w, dice):
    names = {"iis": ["w3wp", "monagent"], "sql": ["monagent", "WmiPrvSE"], "linux": ["java", "dockerd"],
             "dc": ["ntds-agent", "monagent"], "file": ["srv-index", "monagent"], "hyperv": ["vmms", "monagent"]}[w.role]
    return dice.choice(w.named(dice.choice(names)))


# ---- Leaks --------------------------------------------------------------------------------------

@family("leaks", "iis", hours=12)
def leak_slow(w, dice):
    q, first = dice.choice(w.named("w3wp")), 0
    grow(w, q.private, first, dice.uniform(60, 80) * MIB)
    return truth(w, "memory|process", [path(of_process(q, "Private Bytes")), path(of_process(q, "Working Set"))],
                 first, w.n - 1, "ramp", q.instance, q)


@family("leaks", "any")
def leak_fast(w, dice):
    q, first = leaker(w, dice), from_start(w, dice)
    grow(w, q.private, first, dice.uniform(0.1, 0.3) * w.memory_gb * GIB / (w.times[-1] / 3600))
    return truth(w, "memory|process", [path(of_process(q, "Private Bytes")), path(of_process(q, "Working Set"))],
                 first, w.n - 1, "ramp", q.instance, q)


@family("leaks", "iis", hours=12)
def leak_recycled(w, dice):
    q = dice.choice(w.named("w3wp"))
    life = round(dice.choice([1.5, 2, 3]) * 3600 / w.step)
    at = dice.randrange(life // 4, life)
    rate = dice.uniform(400, 900) * MIB / 3600
    since = -(life - at)
    usual = q.private[0]
    for i in range(w.n):
        if i == at:
            since, at = i, at + life
            for k in range(i, w.n):
                q.pid[k] = q.pid[i - 1] + 4 * dice.randrange(3, 400) if k == i else q.pid[i]
                q.age[k] = w.times[k] - w.times[i] + w.step * 0.4
        q.private[i] += -usual * 0.3 + rate * (i - since) * w.step
    return truth(w, "memory|process", [path(of_process(q, "Private Bytes")), path(of_process(q, "Working Set"))],
                 0, w.n - 1, "recycled", q.instance, q, period=life * w.step)


@family("leaks", "any")
def leak_handles(w, dice):
    q, first = leaker(w, dice), from_start(w, dice)
    per_hour = dice.uniform(1000, 4000)
    grow(w, q.handles, first, per_hour)
    grow(w, w.pool_nonpaged, first, per_hour * 300)
    return truth(w, "process", [path(of_process(q, "Handle Count"))], first, w.n - 1, "ramp", q.instance, q)


@family("leaks", "any")
def leak_threads(w, dice):
    q, first = leaker(w, dice), from_start(w, dice)
    per_hour = dice.uniform(80, 300)
    grow(w, q.threads, first, per_hour)
    grow(w, q.private, first, per_hour * 0.06 * MIB)
    grow(w, q.handles, first, per_hour * 2)
    return truth(w, "process", [path(of_process(q, "Thread Count")), r"System\\Threads$"], first, w.n - 1, "ramp",
                 q.instance, q)


@family("leaks", "windows")
def pool_paged(w, dice):
    first = from_start(w, dice)
    grow(w, w.pool_paged, first, dice.uniform(2, 6) * GIB / (w.times[-1] / 3600))
    return truth(w, "memory", [r"Memory\\Pool Paged Bytes$"], first, w.n - 1, "ramp")


@family("leaks", "windows")
def pool_nonpaged(w, dice):
    first = from_start(w, dice)
    grow(w, w.pool_nonpaged, first, dice.uniform(2, 8) * GIB / (w.times[-1] / 3600))
    return truth(w, "memory", [r"Memory\\Pool Nonpaged Bytes$"], first, w.n - 1, "ramp")


@family("leaks", "windows")
def commit(w, dice):
    """Shared memory that no process counts as private."""
    first = from_start(w, dice)
    grow(w, w.commit_extra, first, dice.uniform(0.45, 0.6) * w.memory_gb * GIB / ((w.times[-1] - w.times[first]) / 3600))
    return truth(w, "memory", [r"Memory\\(Committed Bytes|% Committed Bytes In Use|Available MBytes)$"], first, w.n - 1,
                 "ramp")


@family("leaks", "any")
def volume_fills(w, dice):
    disk, first = dice.choice(w.disks[1:]), from_start(w, dice)
    rate = disk.free_gb[first] * dice.uniform(0.7, 0.95) / (w.n - first)
    for i in range(first, w.n):
        disk.free_gb[i] = max(0.1, disk.free_gb[i] - rate * (i - first))
        disk.writes[i] += rate * GIB / w.step / disk.write_bytes[i]
    volume = disk.volumes[0]
    return truth(w, "storage|disk", [path("LogicalDisk(%s)\\Free Megabytes" % volume),
                                     path("LogicalDisk(%s)\\%% Free Space" % volume)], first, w.n - 1, "ramp", volume)


@family("leaks", "sql")
def version_store(w, dice):
    sql, first = dice.choice(w.sql), from_start(w, dice)
    grow(w, sql.version_store, first, 0.85 * sql.tempdb_kb / ((w.times[-1] - w.times[first]) / 3600))
    name = re.escape(sql.name) + r":Transactions\\(Version Store Size|Free Space in tempdb) \(KB\)$"
    return truth(w, "storage|database", [name], first, w.n - 1, "ramp", "tempdb|[Vv]ersion store")


@family("leaks", "windows")
def tcp_ports(w, dice):
    first = from_start(w, dice)
    hours = (w.times[-1] - w.times[first]) / 3600
    grow(w, w.connections, first, dice.uniform(12000, 15000) / hours)
    for i in range(w.n):
        if w.connections[i] > 14000:
            w.failures[i] += 0.2 * w.step
    return truth(w, "network", [r"TCPv4\\Connections Established$"], first, w.n - 1, "ramp")


# ---- Processors ---------------------------------------------------------------------------------

CPU = [r"Hyper-V Hypervisor Logical Processor\(_Total\)\\% Total Run Time$",
       r"Processor( Information)?\(_Total\)\\% (Processor|Privileged|User|Idle) Time$", r"System\\Processor Queue Length$"]


def hog(w, dice):
    return dice.choice(w.named(dice.choice(["backup"] if w.linux else ["MsMpEng", "backupd", "WmiPrvSE"])))


@family("processors", "windows", processors=[8, 16, 32])
def cpu_spike(w, dice):
    first, last = between(w, dice, 180, 600)
    q = hog(w, dice)
    use_cpu(w, q, first, last, w.processors * dice.uniform(0.8, 1.0), dice)
    return truth(w, "processor", CPU, first, last, instance="", culprit=q)


@family("processors", "windows", processors=[8, 16], hours=12)
def cpu_hourly(w, dice):
    q = hog(w, dice)
    period, length = round(3600 / w.step), max(4, round(240 / w.step))
    at = first = dice.randrange(2, period - length)
    count = 0
    while at + length < w.n:
        use_cpu(w, q, at, at + length - 1, w.processors * 0.9, dice)
        last, at, count = at + length - 1, at + period, count + 1
    return truth(w, "processor", CPU + [path(of_process(q, "% Processor Time"))], first, last, "period", culprit=q,
                 period=3600, count=count)


def pegged(w, dice, kind):
    core = dice.randrange(w.processors)
    first, last = between(w, dice, 600, 2400)
    target = w.dpc if kind == "DPC" else w.interrupt
    target[core], other = w.zeros(), w.zeros()
    (w.interrupt if kind == "DPC" else w.dpc)[core] = other
    for i in range(first, last + 1):
        target[core][i] = dice.uniform(68, 76)
        other[i] = dice.uniform(20, 24)
    return truth(w, "processor", [r"Processor( Information)?\((0,)?%d\)\\%% (%s|Processor|Privileged) Time$" % (core, kind)],
                 first, last, instance=str(core), word=kind if kind == "DPC" else "[Ii]nterrupt")


@family("processors", "windows", processors=[8, 16, 32])
def core_dpc(w, dice):
    return pegged(w, dice, "DPC")


@family("processors", "windows", processors=[8, 16, 32])
def core_interrupt(w, dice):
    return pegged(w, dice, "Interrupt")


@family("processors", "windows", processors=[32, 64])
def one_thread(w, dice):
    core, q = dice.randrange(w.processors), leaker(w, dice)
    first, last = between(w, dice, 900, 3600)
    pin = w.pins[core] = w.zeros()
    for i in range(first, last + 1):
        pin[i] = dice.uniform(97, 100)
        q.cpu[i] += pin[i]
    return truth(w, "processor|process", [r"Processor( Information)?\((0,)?%d\)\\%% Processor Time$" % core,
                                          path(of_process(q, "% Processor Time"))], first, last, instance=str(core), culprit=q)


@family("processors", "windows", processors=[8, 16, 32])
def lock_convoy(w, dice):
    first, last = between(w, dice, 600, 1800)
    factor = dice.uniform(15, 25)
    for i in range(first, last + 1):
        w.switch_factor[i] = factor * dice.uniform(0.9, 1.1)
        w.queue_extra[i] = w.processors * dice.uniform(0.5, 1.2)
    if w.role == "sql":
        for i in range(first, last + 1):
            w.sql[0].batches[i] *= 0.5
    if w.role == "iis":
        for i in range(first, last + 1):
            w.web.execution[i] *= 4
    return truth(w, "processor", [r"System\\(Context Switches/sec|Processor Queue Length)$"], first, last)


@family("processors", "windows", processors=[8, 16])
def throttled(w, dice):
    first, last = between(w, dice, 900, 3600)
    speed = dice.uniform(0.35, 0.55)
    for i in range(first, last + 1):
        w.performance[i] *= speed
        w.frequency[i] *= speed
        for q in w.processes:
            q.cpu[i] /= speed
    return truth(w, "processor", [r"Processor Information\(_Total\)\\% (Processor Performance|of Maximum Frequency)$"],
                 first, last)


@family("processors", "sql", processors=[96, 128])
def many_processors(w, dice):
    first, last = between(w, dice, 600, 1800)
    q = dice.choice(w.named("sqlservr"))
    use_cpu(w, q, first, last, w.processors * 0.8, dice)
    return truth(w, "processor", [r"Processor Information\(_Total\)\\% (Processor|Privileged) Time$",
                                  r"System\\Processor Queue Length$"], first, last, culprit=q)


@family("processors", "sql", processors=[32, 64])
def numa_node(w, dice):
    first, last = between(w, dice, 1200, 3600)
    node = dice.randrange(2)
    free = [w.level("numa %d" % i, 0.2 * w.memory_gb * 1024) for i in range(2)]
    w.extra.update({"NUMA Node Memory(%d)\\Available MBytes" % i: free[i] for i in range(2)})
    for i in range(first, last + 1):
        free[1 - node][i] += free[node][i] * 0.97
        free[node][i] *= 0.03
    return truth(w, "memory", [r"NUMA Node Memory\(%d\)\\Available MBytes$" % node], first, last, instance=str(node))


@family("processors", "hyperv", processors=[16, 32])
def hypervisor_wait(w, dice):
    first, last = between(w, dice, 600, 2400)
    h = w.hv
    machine = dice.choice(h.machines)
    for i in range(first, last + 1):
        for v in range(h.virtual[machine]):
            h.wait[(machine, v)][i] *= dice.uniform(30, 60)
            h.run[(machine, v)][i] = dice.uniform(88, 99)
        h.latency[machine][i] *= 1.2
    return truth(w, "virtual-machine|processor",
                 [r"Hyper-V Hypervisor Virtual Processor\(%s:.*\)\\(CPU Wait Time Per Dispatch|%% Guest Run Time)$"
                  % re.escape(machine)], first, last, instance=machine)


# ---- Disks --------------------------------------------------------------------------------------

def disk_paths(disk):
    names = [re.escape("PhysicalDisk(%s)\\" % disk.name)] + [re.escape("LogicalDisk(%s)\\" % v) for v in disk.volumes]
    return ["(%s)(Avg. Disk sec/(Read|Write|Transfer)|(Current|Avg.) Disk Queue Length|%% (Idle|Disk) Time)$" % "|".join(names)]


def slow(w, disk, first, last, dice, factor):
    for i in range(first, last + 1):
        disk.read_time[i] = disk.service * factor * dice.uniform(0.8, 1.25)
        disk.write_time[i] = disk.service * factor * dice.uniform(0.6, 1.0)


@family("disks", "any")
def disk_slow(w, dice):
    disk = dice.choice(w.disks)
    first, last = between(w, dice, 360, 1500)
    slow(w, disk, first, last, dice, dice.uniform(0.06, 0.15) / disk.service)
    return truth(w, "disk", disk_paths(disk), first, last, instance=disk.volumes[0] if not w.linux else disk.name)


@family("disks", "windows")
def disk_stall(w, dice):
    disk = dice.choice(w.disks)
    at = dice.randrange(w.n // 5, w.n * 4 // 5)
    seconds = dice.uniform(0.6, 0.95) * min(w.step, 25)
    waiting = min(256, disk.reads[at] * seconds)
    disk.reads[at] *= 0.3
    disk.writes[at] *= 0.3
    disk.read_time[at] = seconds * 0.7 * waiting / (disk.reads[at] * w.step + waiting)
    disk.write_time[at] = disk.read_time[at] * 0.6
    disk.extra_queue[at] = waiting * 0.5
    return truth(w, "disk", disk_paths(disk), at, at, "stall", disk.volumes[0])


@family("disks", "windows")
def disk_cap(w, dice):
    disk = dice.choice(w.disks[1:])
    first, last = between(w, dice, 1200, 3600)
    cap = dice.choice([300, 500, 750])
    waiting = 2.0
    for i in range(first, last + 1):
        wish = 1.0 + 0.25 * min(1.0, (i - first) / (last - first + 1) * 2)
        waiting = min(64.0, waiting + 64 * 2.0 / (last - first + 1)) if wish > 1 else waiting
        disk.reads[i], disk.writes[i] = cap * 0.7 * dice.uniform(0.999, 1.001), cap * 0.3 * dice.uniform(0.999, 1.001)
        disk.read_time[i] = disk.write_time[i] = waiting / cap
    return truth(w, "disk", disk_paths(disk) + [re.escape("PhysicalDisk(%s)\\Disk " % disk.name)], first, last,
                 instance=disk.volumes[0])


@family("disks", "sql", processors=[8, 16])
def san(w, dice):
    from world import Disk
    service = 0.002
    for k in range(24):
        disk = Disk(w, "%d %s" % (k + 10, "M:\\LUN%02d" % k), ["M:\\LUN%02d" % k], dice.uniform(30, 90), dice.uniform(10, 40),
                    service, 500, 300)
        w.disks.append(disk)
    if w.planted:
        first, last = between(w, dice, 600, 1800)
        for disk in w.disks[-24:]:
            slow(w, disk, first, last, dice, 40)
        return truth(w, "disk", [r"(Physical|Logical)Disk\(.*M:\\LUN.*\)\\Avg\. Disk sec/(Read|Write)$",
                                 r"PhysicalDisk\(.*\)\\"], first, last, instance="LUN|24", one=True)
    return None


# ---- Network ------------------------------------------------------------------------------------

NET = r"Network Interface\(.*\)\\"


@family("network", "windows")
def net_saturated(w, dice):
    first, last = between(w, dice, 600, 2400)
    for i in range(first, last + 1):
        w.net_extra[i] = 125e6
    return truth(w, "network", [NET + r"Bytes (Total|Sent)/sec$", NET + "Packets Sent/sec$"], first, last)


@family("network", "windows")
def net_discards(w, dice):
    first, last = between(w, dice, 600, 1800)
    rate = dice.uniform(20, 200)
    for i in range(first, last + 1):
        w.discarded[i] = rate * w.step * dice.uniform(0.7, 1.3)
    return truth(w, "network", [NET + r"Packets Received Discarded$"], first, last)


@family("network", "any")
def retransmissions(w, dice):
    first, last = between(w, dice, 600, 1800)
    share = dice.uniform(0.04, 0.09)
    for i in range(first, last + 1):
        w.retransmitted[i] = share * dice.uniform(0.8, 1.2)
    return truth(w, "network", [r"TCPv4\\Segments Retransmitted/sec$"], first, last)


# ---- Web ----------------------------------------------------------------------------------------

WEB = [r"(ASP\.NET( Applications)?|HTTP Service Request Queues)(\(.*\))?\\(Requests (Queued|Current|Rejected)|Request Wait Time|"
       r"Request Execution Time|CurrentQueueSize|RejectedRequests|Requests/Sec)$"]


@family("web", "iis")
def web_queue(w, dice):
    first, last = between(w, dice, 300, 900)
    for i in range(first, last + 1):
        w.web.queued[i] = 1000 * min(1.0, (i - first + 1) / 3) * dice.uniform(0.9, 1.0)
        w.web.wait[i] = 4000 * dice.uniform(0.8, 1.2)
        w.web.rejected[i] = dice.uniform(20, 80) * w.step
        w.web.execution[i] *= 6
        w.web.requests[i] *= 0.5
        for q in w.named("w3wp"):
            q.cpu[i] *= 0.6
    return truth(w, "web", WEB, first, last)


@family("web", "iis")
def thread_starvation(w, dice):
    first, last = between(w, dice, 400, 1200)
    q = dice.choice(w.named("w3wp"))
    for i in range(first, last + 1):
        w.web.queued[i] = dice.uniform(150, 350)
        w.web.wait[i] = dice.uniform(2500, 5000)
        w.web.requests[i] *= 0.35
        q.cpu[i] *= 0.3
        q.threads[i] += min(200, 2 * (i - first + 1) * w.step / 15)
    return truth(w, "web|process", WEB + [path(of_process(q, "Thread Count"))], first, last)


# ---- SQL Server ---------------------------------------------------------------------------------

def sql_paths(sql, pattern):
    return [re.escape(sql.name) + ":" + pattern + "$"]


def shown(sql):
    return sql.name.split("$")[-1] if "$" in sql.name else ""


@family("sql", "sql")
def sql_memory(w, dice):
    sql = dice.choice(w.sql)
    first, last = between(w, dice, 900, 2400)
    disk = w.disks[1]
    for i in range(first, last + 1):
        sql.ple[i] = dice.uniform(20, 90)
        sql.page_reads[i] = 3000 + sql.page_reads[i] * 10
        sql.lazy_writes[i] += dice.uniform(60, 200)
        disk.reads[i] += 500
    return truth(w, "memory|database|disk", sql_paths(sql, r"Buffer Manager\\(Page life expectancy|Page reads/sec|Lazy writes/sec)"),
                 first, last, instance=shown(sql))


@family("sql", "sql")
def sql_grants(w, dice):
    sql = dice.choice(w.sql)
    first, last = between(w, dice, 600, 1800)
    for i in range(first, last + 1):
        sql.grants_pending[i] = float(dice.randrange(3, 25))
        sql.grants[i] += 20
        sql.batches[i] *= 0.6
    return truth(w, "memory|database", sql_paths(sql, r"Memory Manager\\Memory Grants (Pending|Outstanding)"), first, last,
                 instance=shown(sql))


@family("sql", "sql")
def sql_log(w, dice):
    sql = dice.choice(w.sql)
    first, last = between(w, dice, 400, 1500)
    database = dice.choice(sql.databases[:3])
    for i in range(first, last + 1):
        sql.log_wait[database][i] = dice.uniform(6000, 14000)
        sql.log_write_wait[i] = dice.uniform(60, 200)
        sql.batches[i] *= 0.4
    return truth(w, "disk|database", [re.escape("%s:Databases(%s)\\Log Flush Wait Time" % (sql.name, database)) + "$",
                                      re.escape(sql.name) + r":Wait Statistics\(.*\)\\Log write waits$"], first, last,
                 instance=database)


@family("sql", "sql")
def sql_blocking(w, dice):
    sql = dice.choice(w.sql)
    first, last = between(w, dice, 400, 1500)
    most = dice.uniform(25, 60)
    for i in range(first, last + 1):
        part = (i - first + 1) / (last - first + 1)
        sql.blocked[i] = 5 + (most - 5) * part
        sql.lock_wait[i] = dice.uniform(15000, 30000)
        sql.batches[i] *= max(0.05, 1 - 0.95 * min(1.0, 1.5 * part))
        sql.process.cpu[i] *= max(0.2, 1 - 0.8 * part)
    return truth(w, "database", sql_paths(sql, r"General Statistics\\Processes blocked")
                 + sql_paths(sql, r"(Locks|Wait Statistics)\(.*\)\\(Average Wait Time \(ms\)|Lock waits)"), first, last,
                 instance=shown(sql))


@family("sql", "sql")
def sql_collapse(w, dice):
    sql = dice.choice(w.sql)
    first, last = between(w, dice, 600, 1500)
    left = dice.uniform(0.02, 0.08)
    for i in range(first, last + 1):
        sql.batches[i] *= left
        sql.connections[i] *= 2.2
        sql.process.cpu[i] *= 0.15
    return truth(w, "database", sql_paths(sql, r"SQL Statistics\\Batch Requests/sec")
                 + sql_paths(sql, r"Databases\(.*\)\\Transactions/sec")
                 + sql_paths(sql, r"General Statistics\\User Connections"), first, last, instance=shown(sql))


@family("sql", "sql")
def sql_replica(w, dice):
    sql = w.sql[0]
    first, last = between(w, dice, 1200, 3600)
    for i in range(first, last + 1):
        part = (i - first + 1) / (last - first + 1)
        sql.send_queue[i] += 3e6 * part
        sql.redo_queue[i] += 1e6 * part
        sql.transaction_delay[i] *= 60
    return truth(w, "database", sql_paths(sql, r"Database Replica\(.*\)\\(Log Send Queue|Recovery Queue|Transaction Delay)"),
                 first, last, instance=sql.databases[0])


# ---- Directory, .NET ----------------------------------------------------------------------------

@family("directory", "dc")
def ldap_slow(w, dice):
    d = w.ad
    first, last = between(w, dice, 600, 1800)
    for i in range(first, last + 1):
        d.bind[i] = dice.uniform(200, 600)
        d.latency[i] = dice.uniform(300, 900)
        d.queued[i] = dice.uniform(30, 120)
        d.threads[i] = 40 + dice.randrange(20)
        d.searches[i] *= 0.5
    return truth(w, "directory", [r"DirectoryServices\(NTDS\)\\(LDAP Bind Time|ATQ .*|LDAP Active Threads|LDAP Searches/sec)$"],
                 first, last)


@family("dotnet", "iis")
def gc_storm(w, dice):
    q = dice.choice(w.named("w3wp"))
    first, last = between(w, dice, 600, 1800)
    for i in range(first, last + 1):
        w.web.gc[q.instance][i] = dice.uniform(55, 85)
        w.web.allocated[q.instance][i] *= 12
        q.cpu[i] += 100 * w.processors * 0.25
        w.web.execution[i] *= 3
    return truth(w, "process|dotnet", [re.escape(".NET CLR Memory(%s)\\" % q.instance) + r"(% Time in GC|Allocated Bytes/sec)$"],
                 first, last, instance=q.instance, culprit=q)


# ---- Events -------------------------------------------------------------------------------------

@family("events", "windows")
def reboot(w, dice):
    at = dice.randrange(w.n // 4, w.n * 3 // 4)
    away = max(4, round(dice.uniform(180, 600) / w.step))
    w.down.append((at, at + away - 1))
    back = at + away
    for i in range(back, w.n):
        w.uptime[i] = 45 + w.times[i] - w.times[back]
    for q in w.processes:
        for i in range(back, w.n):
            q.age[i] = 20 + w.times[i] - w.times[back]
            if q.name != "System":
                q.pid[i] += 400
    return truth(w, "system|event", [r"System\\System Up Time$"], at - 1, back, "event", word="restart|reboot|boot",
                 event="restart")


@family("events", "any")
def gap(w, dice):
    at = dice.randrange(w.n // 4, w.n * 3 // 4)
    away = round(dice.uniform(1200, 3600) / w.step)
    w.down.append((at, at + away - 1))
    return truth(w, "event", [], at - 1, at + away, "event", word="gap|missing|no samples", event="gap")


@family("events", "iis")
def crash_loop(w, dice):
    q = dice.choice(w.named("w3wp") + w.named("monagent"))
    first, last = between(w, dice, 1800, 5400)
    life = max(3, round(dice.uniform(80, 200) / w.step))
    at, pid = first, q.pid[0]
    for i in range(first, w.n):
        if (i - first) % life == 0 and i <= last:
            at, pid = i, pid + 4 * dice.randrange(3, 200)
        q.pid[i] = pid
        q.age[i] = w.times[i] - w.times[at] + w.step * 0.3
        if i <= last + life:
            part = min(1.0, 0.2 + 0.2 * (i - at))
            q.private[i] *= part
            q.handles[i] *= part
            q.alive[i] = not ((i - first) % life == life - 1 and i < last)
    return truth(w, "process|event", [re.escape("Process(%s)\\" % q.instance)], first, last, "event", q.instance, q,
                 word="restart|loop|crash|start", event="loop")


@family("events", "sql")
def provider_away(w, dice):
    sql = dice.choice(w.sql)
    first, last = between(w, dice, 300, 1500)
    w.blank.append((re.escape(sql.name) + ":", first, last))
    return truth(w, "event|database", [re.escape(sql.name) + ":"], first, last, "event", word="no value|away|absent|without",
                 event="provider", instance=shown(sql))


@family("events", "windows")
def collector_restart(w, dice):
    """A header repeats in the file, after a pause of some samples."""
    at = dice.randrange(w.n // 4, w.n * 3 // 4)
    away = max(4, round(180 / w.step))
    w.down.append((at, at + away - 1))
    w.header_again = at + away
    return truth(w, "event", [], at - 1, at + away, "event", word="gap|collector|restart|began", event="collector")


def stamped(w, at):
    """The times of a raw log, whose wall clock may jump."""
    return raw.iso(raw.clocks(w)[at][0])


def clock_event(w, at, wall, work, word, event):
    w.jumps = [(at, wall, work)]
    found = truth(w, "event|system", [], at - 1, at, "event", word=word, event=event)
    found["from"], found["to"] = sorted((stamped(w, at - 1), stamped(w, at)))
    return found


@family("events", "windows", raw=True, length=(8, 30))
def paused(w, dice):
    """A virtual machine is saved for minutes: the wall clock goes on, the performance counter stands still."""
    return clock_event(w, dice.randrange(w.n // 4, w.n * 3 // 4), dice.uniform(300, 2400), 0, "paus|saved|stood still", "pause")


@family("events", "windows", raw=True, length=(8, 30))
def clock_forward(w, dice):
    return clock_event(w, dice.randrange(w.n // 4, w.n * 3 // 4), dice.choice([600, 1800, 3600, 7200]), 0, "clock", "clock")


@family("events", "windows", raw=True, length=(8, 30))
def clock_back(w, dice):
    return clock_event(w, dice.randrange(w.n // 4, w.n * 3 // 4), -dice.choice([300, 1800, 3600]), 0, "clock", "clock")


@family("drift", "windows", length=(168, 300))
def drift(w, dice):
    """A week in which reads of a disk take longer each day."""
    disk = dice.choice(w.disks[1:])
    for i in range(w.n):
        factor = 1 + 9 * i / w.n
        disk.read_time[i] *= factor
        disk.write_time[i] *= factor
    return truth(w, "disk", disk_paths(disk), 0, w.n - 1, "ramp", disk.volumes[0])


# ---- Linux --------------------------------------------------------------------------------------

def cgroup_of(w, q):
    return next(p for p, members in w.cgroups.items() if q in members)


@family("linux", "linux")
def linux_cpu(w, dice):
    q = w.named("backup")[0]
    first, last = between(w, dice, 600, 1800)
    use_cpu(w, q, first, last, w.processors * dice.uniform(0.9, 1.3), dice)
    return truth(w, "processor|system", CPU + [r"System\\(Threads Running|Load Average 1 Minute)$",
                                               r"Pressure Stall\(cpu.*\)\\", path("Cgroup(%s)\\%% Processor Time" % cgroup_of(w, q))],
                 first, last, culprit=q)


@family("linux", "linux")
def linux_memory(w, dice):
    q = dice.choice(w.named("java") + w.named("backup"))
    first, last = between(w, dice, 1200, 3600)
    total = w.memory_gb * GIB
    used = sum(p.private[first] for p in w.processes) + 0.1 * total
    for i in range(first, last + 1):
        part = min(1.0, 0.1 + 3 * (i - first + 1) / (last - first + 1))
        q.private[i] += part * (total - used) * 1.02
        if part > 0.7:
            w.memory_stall[i] = dice.uniform(15, 40)
    return truth(w, "memory|process|system", [r"Memory\\(Available MBytes|Committed Bytes|% Committed Bytes In Use|Page Reads/sec|Pages/sec)$",
                                       r"Pressure Stall\(memory.*\)\\", path("Cgroup(%s)\\Memory Bytes" % cgroup_of(w, q)),
                                       path(of_process(q, "Private Bytes")), path(of_process(q, "Working Set"))],
                 first, last, culprit=q)


@family("linux", "linux")
def linux_io(w, dice):
    q, disk = w.named("backup")[0], dice.choice(w.disks)
    first, last = between(w, dice, 600, 1800)
    for i in range(first, last + 1):
        disk.reads[i] += 900
        disk.read_bytes[i] = 131072
        disk.read_time[i] = disk.write_time[i] = dice.uniform(0.05, 0.09)
        q.io[i] += 118e6
        w.blocked[i] += dice.randrange(3, 9)
    return truth(w, "disk|system", disk_paths(disk) + [r"Pressure Stall\(io.*\)\\", r"System\\Threads Blocked$",
                                                       path("Cgroup(%s)\\I/O Read Bytes/sec" % cgroup_of(w, q))],
                 first, last, instance=disk.name, culprit=q)


@family("linux", "linux")
def linux_forks(w, dice):
    first, last = between(w, dice, 300, 1200)
    for i in range(first, last + 1):
        w.forks[i] = dice.uniform(600, 1500)
        w.switch_factor[i] *= 4
        w.queue_extra[i] += w.processors * 0.8
    return truth(w, "process|processor|system", [r"System\\Forks/sec$"], first, last)


@family("linux", "linux")
def linux_blocked(w, dice):
    """Threads that wait for a server of files which has gone: no disk of this machine is slow."""
    first, last = between(w, dice, 600, 1800)
    for i in range(first, last + 1):
        w.blocked[i] = float(min(60, 2 * (i - first + 1)) + dice.randrange(3))
    return truth(w, "disk|process|system", [r"System\\Threads Blocked$", r"Pressure Stall\(io.*\)\\", r"System\\Load Average 1 Minute$"],
                 first, last)


@family("linux", "linux")
def linux_descriptors(w, dice):
    q, first = dice.choice(w.named("java") + w.named("dockerd")), from_start(w, dice)
    grow(w, q.handles, first, dice.uniform(0.6, 0.9) * w.open_files_limit / ((w.times[-1] - w.times[first]) / 3600))
    return truth(w, "process|system", [path(of_process(q, "Handle Count")), r"System\\Open Files$"], first, w.n - 1, "ramp",
                 culprit=q)


@family("linux", "linux")
def linux_listen(w, dice):
    first, last = between(w, dice, 300, 1200)
    for i in range(first, last + 1):
        w.overflows[i] = dice.uniform(5, 60)
    return truth(w, "network", [r"TCPv4\\Listen Overflows/sec$"], first, last)


@family("linux", "linux")
def linux_steal(w, dice):
    first, last = between(w, dice, 600, 2400)
    for i in range(first, last + 1):
        w.steal[i] = dice.uniform(25, 45)
        w.queue_extra[i] += w.processors * 0.6
    return truth(w, "processor", [r"Processor\(.*\)\\% Steal Time$"], first, last)


# ---- Counters added to the usual ones -------------------------------------------------------------

def added(w, path_, base, sigma=0.3):
    """A column with the noise of the log."""
    return w.extra.setdefault(path_, [base * a for a in w.factor("added " + path_, sigma)])


def raised(w, dice, path_, base, low, high, shortest, longest, sigma=0.3):
    """A column that is higher for a while: its first and last sample."""
    first, last = between(w, dice, shortest, longest)
    values = added(w, path_, base, sigma)
    for i in range(first, last + 1):
        values[i] = dice.uniform(low, high)
    return first, last


@family("more", "file")
def smb_slow(w, dice):
    share = "SMB Server Shares(projects)\\"
    added(w, share + "Data Requests/sec", 350)
    added(w, "SMB Server Shares(home)\\Avg. sec/Data Request", 0.003)
    added(w, "SMB Server Shares(home)\\Data Requests/sec", 120)
    first, last = raised(w, dice, share + "Avg. sec/Data Request", 0.003, 0.2, 0.5, 300, 1200)
    return truth(w, "network", [path(share + "Avg. sec/Data Request")], first, last, instance="projects")


@family("more", "dc")
def authentication_waits(w, dice):
    name = "Netlogon(_Total)\\"
    added(w, name + "Semaphore Holders", 1)
    first, last = raised(w, dice, name + "Semaphore Waiters", 0.0, 20, 60, 300, 1200)
    return truth(w, "directory", [path(name + "Semaphore Waiters")], first, last)


@family("more", "windows")
def print_queue(w, dice):
    name = "Print Queue(Floor 2)\\Jobs"
    first, last = raised(w, dice, name, 0.5, 120, 180, 900, 2400)
    added(w, "Print Queue(Floor 3)\\Jobs", 0.5)
    return truth(w, "system", [path(name)], first, last, instance="Floor 2")


@family("more", "windows")
def mail_queue(w, dice):
    """It fills, and empties at once."""
    name = "MSExchangeTransport Queues(_total)\\Aggregate Delivery Queue Length (All Queues)"
    first, last = between(w, dice, 1200, 3600)
    values = added(w, name, 15)
    for i in range(first, last + 1):
        values[i] = 3000 + 2000 * (i - first) / (last - first)
    return truth(w, "network", [path(name)], first, last)


@family("more", "hyperv")
def cluster_volume(w, dice):
    name = "Cluster CSVFS(Volume2)\\"
    for volume in ("Volume1", "Volume2"):
        added(w, "Cluster CSVFS(%s)\\reads/sec" % volume, 600)
        added(w, "Cluster CSVFS(%s)\\avg. sec/read" % volume, 0.002)
    first, last = raised(w, dice, name + "avg. sec/read", 0.002, 0.08, 0.15, 300, 900)
    return truth(w, "disk", [path(name + "avg. sec/read")], first, last, instance="Volume2")


@family("more", "linux")
def inodes(w, dice):
    """Many small files: the space is there, the inodes go."""
    name = "LogicalDisk(/var)\\% Free Inodes"
    end = dice.uniform(8, 30)
    w.extra[name] = [90 - (90 - end) * i / w.n + 0.02 * dice.uniform(-1, 1) for i in range(w.n)]
    return truth(w, "disk", [path(name)], 0, w.n - 1, "ramp", "/var")


@family("more", "linux")
def swapping(w, dice):
    first, last = between(w, dice, 400, 1200)
    paging = w.extra["Memory\\Pages/sec"] = list(w.columns()["Memory\\Pages/sec"])
    for i in range(first, last + 1):
        paging[i] = dice.uniform(4000, 9000)
    return truth(w, "memory", [r"Memory\\Pages"], first, last)


def changed(w, dice, path_, before, after, word):
    at = dice.randrange(w.n // 4, w.n * 3 // 4)
    w.extra[path_] = [before if i < at else after for i in range(w.n)]
    return truth(w, "event", [path(path_)], at - 1, at, "event", word=word)


@family("more", "windows")
def link_speed(w, dice):
    name = [a for a in w.columns() if a.endswith("Current Bandwidth")][0]
    return changed(w, dice, name, 1e9, 1e8, "network .* changed")


@family("more", "windows")
def less_memory(w, dice):
    """A balloon takes memory away: the commit limit falls."""
    total = 1.25 * w.memory_gb * GIB
    return changed(w, dice, "Memory\\Commit Limit", total, total * 0.6, "limit changed")


@family("more", "sql")
def sql_target(w, dice):
    total = 0.8 * w.memory_gb * 2 ** 20
    return changed(w, dice, "SQLServer:Memory Manager\\Target Server Memory (KB)", total, total / 2, "[Tt]arget memory")


@family("more", "windows", processors=[96])
def second_group(w, dice):
    """A thread pegs a processor of the second group."""
    core, q = dice.randrange(64, 96), dice.choice(w.named("MsMpEng"))
    first, last = between(w, dice, 1200, 2400)
    w.pins[core] = w.zeros()
    for i in range(first, last + 1):
        w.pins[core][i] = 99.5
        q.cpu[i] += 99
    return truth(w, "processor", [r"Processor Information\(1,%d\)" % (core - 64)], first, last, instance="1,%d" % (core - 64),
                 culprit=q)


# ---- Healthy and odd ----------------------------------------------------------------------------

@odd("sql")
def buffer_pool_fills(w, dice):
    """The buffer pool fills in the morning and stays flat."""
    q = w.sql[0].process
    full = w.n * dice.uniform(0.3, 0.5)
    for i in range(w.n):
        q.private[i] *= min(1.0, 0.15 + 0.85 * i / full)


@odd("dc")
def logons(w, dice):
    """Logons raise handles of lsass and a service, then level off."""
    for q in (w.process("lsass"), w.process("svchost#2")):
        rise, full = dice.uniform(2500, 6000), w.n * dice.uniform(0.3, 0.5)
        for i in range(w.n):
            q.handles[i] += rise * min(1.0, i / full)


@odd("file", hours=12)
def backup_at_night(w, dice):
    """Large sequential reads: they take longer, and there is nothing else to do."""
    disk, q = w.disks[1], w.process("backupd")
    first, last = between(w, dice, 2400, 5400)
    for i in range(first, last + 1):
        disk.reads[i] += 420
        disk.read_bytes[i] = 1048576
        disk.read_time[i] = dice.uniform(0.022, 0.03)
        q.io[i] += 420e6
        q.cpu[i] += 60


@odd("sql")
def no_page_file(w, dice):
    """92 % commit on a machine with plenty of memory and no page file."""
    total = w.memory_gb * GIB
    w.extra["Memory\\Commit Limit"] = [float(total)] * w.n
    columns = w.columns()
    base = columns["Memory\\Committed Bytes"]
    scale = 0.92 * total / (sum(base) / w.n)
    committed = [a * scale for a in base]
    w.extra["Memory\\Committed Bytes"] = committed
    w.extra["Memory\\% Committed Bytes In Use"] = [100 * a / total for a in committed]


@odd("file")
def recovery_volumes(w, dice):
    for i in range(2):
        name = "LogicalDisk(HarddiskVolume%d)\\" % (i + 1)
        free = 35.0 + 20 * i
        w.extra[name + "% Free Space"] = [100 * free / 450] * w.n
        w.extra[name + "Free Megabytes"] = [free] * w.n


@odd("iis", processors=[8, 16])
def balancer(w, dice):
    """Busy at 84 % all day, as it was bought for."""
    for q in w.processes:       # the balancer sees to it that each gets the same at any hour
        q.cpu = [min(a / b, 3 * q.cpu[0]) for a, b in zip(q.cpu, w.activity)]
    usual = sum(sum(q.cpu) for q in w.processes) / w.n
    for q in w.processes:
        q.cpu = [84.0 * w.processors / usual * a for a in q.cpu]


@odd("file")
def idle_disk(w, dice):
    """A read every few minutes, which wakes the disk up."""
    disk = w.disks[-1]
    seldom = w.sparse("idle disk", 0.1, 0.05)
    for i in range(w.n):
        disk.reads[i], disk.writes[i] = seldom[i], 0.0
        disk.read_time[i] = dice.uniform(0.02, 0.04)


@odd("sql")
def one_deadlock(w, dice):
    w.sql[0].deadlocks[dice.randrange(w.n)] = 1 / w.step
