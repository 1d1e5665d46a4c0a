"""A made-up server from its causes: what its processes, disks, clients do, and the counters that follow from it.

Each column draws its noise from a generator of its own, named by the seed and the column, before anything is planted.
So two logs of a seed differ only where the causes differ. A cause is a list with one number a sample; families.py
changes them; World.columns() derives the counters."""

import datetime
import math
import random

GIB = 2 ** 30
MIB = 2 ** 20
ZONES = [("W. Europe Standard Time", -60), ("GMT Standard Time", 0), ("Eastern Standard Time", 300),
         ("Tokyo Standard Time", -540)]
LENGTHS = [(8, 15), (8, 30), (12, 15), (12, 30), (24, 30), (24, 60), (48, 60)]     # hours, seconds


def clamp(low, value, high):
    return min(high, max(low, value))


class Process:
    """cpu in % of one processor; bytes and counts as displayed. Lists of one number a sample."""

    def __init__(self, world, name, instance, pid, cpu, private, handles, threads, io):
        self.name, self.instance, self.pid = name, instance, [pid] * world.n
        key = "process " + instance
        self.load = world.ones()            # relative to the usual, where a family changes the work
        load = world.work(key + " cpu", 0.08, cpu > 2)
        self.cpu = [cpu * a for a in load]
        self.io = [io * a for a in world.work(key + " io", 0.2, True)]
        self.private = world.level(key + " private", private)
        self.handles = world.level(key + " handles", handles)
        self.threads = world.level(key + " threads", threads)
        self.born = [world.age_at_start * 0.9] * world.n      # age at the first sample; a restart makes it smaller
        self.age = [self.born[0] + t for t in world.times]
        self.alive = [True] * world.n


class Disk:
    def __init__(self, world, name, volumes, reads, writes, service, size_gb, free_gb):
        self.name, self.volumes = name, volumes
        self.service = service              # seconds a read takes, usually
        self.reads = [reads * a for a in world.work("disk %s reads" % name, 0.12, True)]
        self.writes = [writes * a for a in world.work("disk %s writes" % name, 0.12, True)]
        self.read_bytes = world.level("disk %s read size" % name, 49152)
        self.write_bytes = world.level("disk %s write size" % name, 16384)
        wobble = 0.1 if world.gauss else 0.25
        self.read_time = [service * a for a in world.factor("disk %s read time" % name, wobble)]
        self.write_time = [service * 0.7 * a for a in world.factor("disk %s write time" % name, wobble)]
        self.extra_queue = world.zeros()
        self.size_gb = size_gb
        slow = world.level("disk %s used" % name, size_gb - free_gb, 0.002)
        self.free_gb = [max(0.0, size_gb - a) for a in slow]


class World:
    def __init__(self, seed, noise, role, processors=None, length=None):
        self.seed, self.noise, self.role = seed, noise, role
        self.gauss = noise == "gauss"
        dice = self.rng("machine")
        self.linux = role == "linux"
        self.processors = processors or dice.choice([8, 16, 16, 32, 64] if role in ("sql", "hyperv") else [8, 8, 16, 32])
        hours, self.step = length or dice.choice(LENGTHS)
        self.n = hours * 3600 // self.step + 1
        self.zone = dice.choice(ZONES)
        prefix = {"sql": "SQL", "iis": "WEB", "hyperv": "HV", "dc": "DC", "file": "FS", "linux": "app"}[role]
        self.machine = "%s%02d" % (prefix, dice.randrange(1, 40))
        # Mondays to Fridays of a winter: no change of the clocks. Local time; the log begins in the morning or at night.
        self.start = datetime.datetime(2026, 2, 2 + dice.randrange(4), dice.choice([0, 6, 7, 8, 9, 22]))
        jitter = self.rng("jitter")
        self.times = [i * self.step + 0.001 * jitter.randrange(16) for i in range(self.n)]
        self.age_at_start = dice.uniform(3, 60) * 86400
        self.memory_gb = dice.choice([32, 64, 128, 256] if role in ("sql", "hyperv") else [16, 32, 64])
        self.down = []                  # (first, last) samples that are missing altogether
        self.blank = []                 # (regular expression, first, last): counters without a value
        self.uptime = [self.age_at_start + t for t in self.times]
        self.activity = self.make_activity()
        self.extra = {}                 # more columns, or other values of columns: path -> list
        self.pins = {}                  # processor -> list of % that it does for one thread
        self.dpc, self.interrupt = {}, {}   # the same for a processor's DPC and interrupt time
        self.stolen = self.zeros()      # % of all processors
        self.queue_extra = self.zeros()
        self.switch_factor = self.ones()
        self.commit_extra = self.zeros()
        self.pool_paged = self.level("pool paged", dice.uniform(0.3, 0.9) * GIB)
        self.pool_nonpaged = self.level("pool nonpaged", dice.uniform(0.25, 0.7) * GIB)
        self.paging = self.ones()
        self.retransmitted = self.ones()
        self.discarded = self.zeros()
        self.net_extra = self.zeros()   # bytes a second that are sent on top
        self.connections = self.level("connections", dice.uniform(150, 900), 0.04)
        self.failures = self.zeros()
        self.performance = [100 + 2 * a for a in self.normal("performance")]
        self.frequency = [98 + 0.5 * a for a in self.normal("frequency")]
        self.jumps = []                 # (sample, seconds) by which clocks part before it: raw.py
        self.header_again = None        # the sample before which the header comes a second time
        self.names = {}
        self.processes, self.disks = [], []
        self.make_disks(dice)
        self.make_processes(dice)
        if role == "sql":
            self.make_sql(dice)
        if role == "iis":
            self.make_web(dice)
        if role == "hyperv":
            self.make_hyperv(dice)
        if role == "dc":
            self.make_directory(dice)
        if self.linux:
            self.make_linux(dice)

    # ---- Noise ----------------------------------------------------------------------------------

    def rng(self, name):
        return random.Random("%s/%s/%s" % (self.seed, self.noise, name))

    def zeros(self):
        return [0.0] * self.n

    def ones(self):
        return [1.0] * self.n

    def normal(self, name):
        gauss = self.rng(name).gauss
        return [gauss(0, 1) for _ in range(self.n)]

    def factor(self, name, sigma):
        """Around 1, always positive: lognormal where the noise is that of real machines."""
        gauss = self.rng(name).gauss
        if self.gauss:
            return [max(0.05, 1 + sigma * gauss(0, 1)) for _ in range(self.n)]
        exp = math.exp
        return [exp(sigma * gauss(0, 1)) for _ in range(self.n)]

    @staticmethod
    def scaled(base, values):
        return [base * a for a in values]

    def make_activity(self):
        """How much work there is, relative to the usual: by the hour of day, in slow waves."""
        if self.gauss:
            return self.ones()
        dice = self.rng("activity")
        waves = [(dice.uniform(0.02, 0.06), dice.uniform(1500, 9000), dice.uniform(0, 6.28)) for _ in range(3)]
        night = dice.uniform(0.35, 0.7)
        first = self.start.hour + self.start.minute / 60
        out = []
        for t in self.times:
            hour = (first + t / 3600) % 24
            day = 0.5 - 0.5 * math.cos(2 * math.pi * (hour - 1.5) / 24)
            out.append((night + (1.1 - night) * day)
                       * (1 + sum(a * math.sin(2 * math.pi * t / period + phase) for a, period, phase in waves)))
        return out

    def work(self, name, sigma, bursts):
        """A rate of work, relative to the usual: the machine's activity, noise, and bursts of a few samples."""
        out = [a * b for a, b in zip(self.factor(name, sigma), self.activity)]
        if bursts and not self.gauss:
            dice = self.rng(name + " bursts")
            at = 0
            while True:
                at += 1 + int(dice.expovariate(1 / 90))
                if at >= self.n:
                    break
                height = min(4.0, 1.3 * dice.paretovariate(3))
                for i in range(at, min(self.n, at + dice.randrange(1, 5))):
                    out[i] *= height
        return out

    def level(self, name, base, sigma=None):
        """Something that stays: memory, handles. Waves of some per cent in real noise."""
        gauss = self.rng(name).gauss
        if self.gauss:
            sigma = 0.005 if sigma is None else sigma
            return [base * (1 + sigma * gauss(0, 1)) for _ in range(self.n)]
        dice = self.rng(name + " waves")
        sigma = 0.015 if sigma is None else sigma
        out, drift, walk = [], 0.0, sigma * 0.12
        period, phase = dice.uniform(2000, 12000), dice.uniform(0, 6.28)
        for t in self.times:
            drift = 0.99 * drift + walk * gauss(0, 1)
            out.append(base * (1 + drift + sigma * math.sin(2 * math.pi * t / period + phase)))
        return out

    def sparse(self, name, chance, size):
        """Mostly nothing."""
        dice = self.rng(name)
        if self.gauss:
            chance /= 2
        return [dice.expovariate(1 / size) if dice.random() < chance else 0.0 for _ in range(self.n)]

    # ---- What the machine has -------------------------------------------------------------------

    def make_disks(self, dice):
        service = dice.choice([0.0006, 0.002, 0.004])
        letters = "CDEFG"[:dice.choice([2, 3, 4])]
        if self.linux:
            names = ["nvme0n1", "sda", "sdb", "sdc"][:len(letters)]
            for i, name in enumerate(names):
                size = dice.choice([200, 500, 2000])
                self.disks.append(Disk(self, name, [["/", "/var", "/srv/data", "/backup"][i]], dice.uniform(30, 180),
                                       dice.uniform(20, 90), service, size, size * dice.uniform(0.3, 0.6)))
            return
        for i, letter in enumerate(letters):
            size = 120 if i == 0 else dice.choice([400, 1000, 2000])
            busy = 1.0 if i else 0.3
            self.disks.append(Disk(self, "%d %s:" % (i, letter), [letter + ":"], busy * dice.uniform(60, 220),
                                   busy * dice.uniform(40, 130), service, size, size * dice.uniform(0.3, 0.6)))

    def add(self, name, cpu, private_mb, handles, threads, io_kb, count=1):
        for _ in range(count):
            i = self.names.get(name, 0)
            self.names[name] = i + 1
            instance = "%s#%d" % (name, i) if i else name
            dice = self.rng("process " + instance)
            pid = 4 if name == "System" else 4 * dice.randrange(150, 5000)
            self.processes.append(Process(self, name, instance, pid, cpu * dice.uniform(0.8, 1.2),
                                          private_mb * MIB * dice.uniform(0.8, 1.2), handles * dice.uniform(0.8, 1.2),
                                          threads, io_kb * 1024))
        return self.processes[-count:]

    def make_processes(self, dice):
        p = self.processors
        if self.linux:
            for name, cpu, mb in (("systemd", 0.2, 14), ("systemd-journal", 0.5, 40), ("sshd", 0.1, 8), ("dockerd", 2, 120),
                                  ("node_exporter", 0.6, 20), ("cron", 0.05, 4), ("backup", 0.05, 30)):
                self.add(name, cpu, mb, 60, 6, 20)
            self.add("postgres", 3 * p * 0.7, 900, 180, 1, 900, 3)
            self.add("java", 8 * p * 0.7, 4000, 600, 120, 400)
            self.add("nginx", 1.2 * p * 0.7, 60, 300, 1, 300, 2)
            return
        self.add("System", 1.0 * p / 8 + 1, 1, 4000, 200, 300)
        self.add("svchost", 0.8, 60, 900, 25, 15, 6)
        for name, cpu, mb, handles, threads in (("services", 0.2, 12, 700, 10), ("lsass", 1.0, 80, 1800, 14),
                                                ("MsMpEng", 2.0, 240, 900, 30), ("WmiPrvSE", 0.6, 30, 300, 12),
                                                ("backupd", 0.05, 90, 240, 9), ("monagent", 0.4, 70, 420, 18)):
            self.add(name, cpu, mb, handles, threads, 25)
        if self.role == "sql":
            for _ in range(dice.choice([1, 1, 2, 3])):
                self.add("sqlservr", 10 * p * 0.9 / 1.5, self.memory_gb * 1024 * 0.22, 2500, 160, 9000)
        if self.role == "iis":
            self.add("w3wp", 3.2 * p, 900, 1100, 45, 500, 4)
        if self.role == "hyperv":
            self.add("vmms", 1.5, 120, 1500, 40, 60)
            self.add("vmwp", 0.8, 40, 700, 30, 20, dice.choice([4, 6, 8]))
        if self.role == "dc":
            self.processes[[q.instance for q in self.processes].index("lsass")].cpu = [
                9 * p * a for a in self.work("process lsass dc cpu", 0.08, True)]
            self.add("dns", 1.5, 160, 900, 20, 20)
            self.add("ntds-agent", 0.3, 60, 300, 8, 10)
        if self.role == "file":
            self.add("srv-index", 3.0 * p, 400, 900, 25, 2500)

    def process(self, instance):
        return next(q for q in self.processes if q.instance == instance)

    def named(self, name):
        return [q for q in self.processes if q.name == name]

    def make_sql(self, dice):
        self.sql = []
        for i, process in enumerate(self.named("sqlservr")):
            name = "SQLServer" if i == 0 and dice.random() < 0.6 else "MSSQL$" + ["PROD", "REPORT", "STAGE"][i]
            sql = type("Sql", (), {})()
            sql.name, sql.process = name, process
            key = "sql%d " % i
            sql.batches = self.scaled(dice.uniform(600, 2400), self.work(key + "batches", 0.05, True))
            usual = sql.batches[:]
            sql.usual_batches = usual
            sql.connections = self.level(key + "connections", dice.uniform(120, 500), 0.02)
            sql.blocked = [float(round(a)) for a in self.sparse(key + "blocked", 0.02, 1.0)]
            sql.lock_wait = self.sparse(key + "lock wait", 0.05, 60.0)
            sql.deadlocks = self.zeros()
            base_ple = dice.uniform(4000, 20000)
            sql.ple = self.level(key + "ple", base_ple, 0.02)
            sql.page_reads = self.scaled(dice.uniform(60, 300), self.work(key + "page reads", 0.15, True))
            sql.lazy_writes = self.sparse(key + "lazy", 0.05, 3.0)
            sql.grants_pending = self.zeros()
            sql.grants = [float(round(a)) for a in self.sparse(key + "grants", 0.4, 2.0)]
            sql.databases = dice.sample(["Sales", "Orders", "Billing", "Stock", "CRM"], 3) + ["tempdb"]
            sql.log_wait = {d: self.sparse(key + "log wait " + d, 0.1, 20.0) for d in sql.databases}
            sql.log_write_wait = [2 * a for a in self.factor(key + "log write", 0.15)]
            sql.version_store = self.level(key + "version store", 300e3, 0.05)
            sql.tempdb_kb = 40e6
            sql.replica = i == 0
            sql.send_queue = [20 + 15 * abs(a) for a in self.normal(key + "send queue")]
            sql.redo_queue = [50 + 30 * abs(a) for a in self.normal(key + "redo queue")]
            sql.transaction_delay = [3 * a for a in self.factor(key + "delay", 0.2)]
            self.sql.append(sql)

    def make_web(self, dice):
        w = self.web = type("Web", (), {})()
        w.requests = self.scaled(dice.uniform(120, 600), self.work("web requests", 0.06, True))
        w.execution = self.scaled(dice.uniform(30, 90), self.factor("web execution", 0.1 if self.gauss else 0.2))
        w.queued, w.wait = self.zeros(), self.zeros()
        w.rejected = self.zeros()           # a sample
        w.thread_rise = self.zeros()
        w.gc = {q.instance: [3 * a for a in self.factor("gc " + q.instance, 0.2)] for q in self.named("w3wp")}
        w.allocated = {q.instance: [25e6 * a for a in self.work("allocated " + q.instance, 0.1, True)]
                       for q in self.named("w3wp")}
        w.pools = ["DefaultAppPool", "Shop", "Api", "Intranet"]

    def make_hyperv(self, dice):
        h = self.hv = type("Hv", (), {})()
        names = dice.sample(["SQL-PROD", "WEB-1", "WEB-2", "FILES", "BUILD", "DC-2", "MAIL", "TEST-7"],
                            len(self.named("vmwp")))
        h.machines = names
        h.virtual = {name: dice.choice([2, 4, 4, 8]) for name in names}
        h.run = {(m, v): self.scaled(dice.uniform(8, 30), self.work("vp %s %d" % (m, v), 0.12, True))
                 for m in names for v in range(h.virtual[m])}
        h.wait = {(m, v): self.scaled(dice.uniform(3000, 9000), self.factor("vp wait %s %d" % (m, v), 0.15))
                  for m in names for v in range(h.virtual[m])}
        h.pressure = {m: [clamp(1, a, 300) for a in self.level("pressure " + m, dice.uniform(55, 80), 0.02)] for m in names}
        h.latency = {m: [0.003 * a for a in self.factor("vhd " + m, 0.15)] for m in names}
        h.operations = {m: self.scaled(dice.uniform(30, 200), self.work("vhd ops " + m, 0.15, True)) for m in names}

    def make_directory(self, dice):
        d = self.ad = type("Ad", (), {})()
        d.searches = self.scaled(dice.uniform(150, 900), self.work("ldap searches", 0.07, True))
        d.bind = self.scaled(dice.uniform(1, 5), self.factor("ldap bind", 0.15))
        d.latency = self.scaled(dice.uniform(2, 8), self.factor("atq latency", 0.15))
        d.queued = [float(round(a)) for a in self.sparse("atq queued", 0.05, 1.0)]
        d.threads = [float(round(3 + abs(a))) for a in self.normal("ldap threads")]

    def make_linux(self, dice):
        self.cgroups = {}
        for path, names in (("/system.slice/postgresql.service", ("postgres",)), ("/system.slice/app.service", ("java",)),
                            ("/system.slice/nginx.service", ("nginx",)), ("/system.slice/backup.service", ("backup",)),
                            ("/system.slice/docker.service", ("dockerd",))):
            self.cgroups[path] = [q for q in self.processes if q.name in names]
        self.forks = self.scaled(dice.uniform(1, 8), self.work("forks", 0.3, True))
        self.blocked = [float(round(a)) for a in self.sparse("blocked", 0.1, 1.0)]
        self.steal = [0.2 * abs(a) for a in self.normal("steal")]
        self.overflows = self.zeros()
        self.memory_stall = self.zeros()
        self.open_files_limit = 200000.0

    # ---- Counters -------------------------------------------------------------------------------

    def columns(self):
        """{path without machine: list of numbers, None where a counter has no value}"""
        self.out = {}
        self.put_processors()
        self.put_memory()
        self.put_disks()
        self.put_network()
        self.put_processes()
        if self.linux:
            self.put_linux()
        if self.role == "sql":
            for sql in self.sql:
                self.put_sql(sql)
        if self.role == "iis":
            self.put_web()
        if self.role == "hyperv":
            self.put_hyperv()
        if self.role == "dc":
            self.put_directory()
        self.out.update(self.extra)
        return self.out

    def put(self, path, values):
        self.out[path] = values

    def spread(self):
        """% of each processor that processes use, and the sum over the processes."""
        p, n = self.processors, self.n
        free = list(zip(*[q.cpu for q in self.processes]))
        used = [sum(a) for a in free]
        pinned = [sum(pin[i] for pin in self.pins.values()) for i in range(n)]
        most = 100.0 * p * 0.995
        for i in range(n):          # there is no more than all processors
            if used[i] > most:
                scale = most / used[i]
                for q in self.processes:
                    q.cpu[i] *= scale
                used[i] = most
        rest = [max(0.0, a - b) / p for a, b in zip(used, pinned)]
        return rest

    def put_processors(self):
        p, n = self.processors, self.n
        rest = self.spread()
        info = p > 64
        total, dpc_total, interrupt_total = self.zeros(), self.zeros(), self.zeros()
        cores = []
        for c in range(p):
            key = "processor %d" % c
            dpc = [0.5 * a for a in self.factor(key + " dpc", 0.25)]
            interrupt = [0.3 * a for a in self.factor(key + " interrupt", 0.25)]
            if c in self.dpc:
                dpc = [a + b for a, b in zip(dpc, self.dpc[c])]
            if c in self.interrupt:
                interrupt = [a + b for a, b in zip(interrupt, self.interrupt[c])]
            wobble = self.factor(key, 0.2 if self.gauss else 0.3)
            pin = self.pins.get(c)
            busy = []
            for i in range(n):
                own = rest[i] + (wobble[i] - 1) * rest[i] * (1 - min(1.0, rest[i] / 100))
                kernel = dpc[i] + interrupt[i] + (pin[i] if pin else 0)
                busy.append(min(100.0, own * (1 - min(1.0, kernel / 100)) + kernel))
            cores.append(busy)
            total = [a + b for a, b in zip(total, busy)]
            dpc_total = [a + b for a, b in zip(dpc_total, dpc)]
            interrupt_total = [a + b for a, b in zip(interrupt_total, interrupt)]
            groups = [("Processor Information(%d,%d)" % (c // 64, c % 64))] if info else []
            if c < 64:
                groups.append("Processor(%d)" % c)
            for name in groups:
                self.put("%s\\%% Processor Time" % name, busy)
                if not info:
                    self.put("%s\\%% DPC Time" % name, dpc)
                    self.put("%s\\%% Interrupt Time" % name, interrupt)
        self.busy = [a / p for a in total]
        names = ["Processor Information(_Total)"] if info else ["Processor(_Total)"]
        for name in names:
            self.put("%s\\%% Processor Time" % name, self.busy)
            self.put("%s\\%% Privileged Time" % name, [0.2 * a for a in self.busy])
            self.put("%s\\%% DPC Time" % name, [a / p for a in dpc_total])
            self.put("%s\\%% Interrupt Time" % name, [a / p for a in interrupt_total])
        if info:
            first = [sum(a) / 64 for a in zip(*cores[:64])]
            self.put("Processor(_Total)\\% Processor Time", first)
        if not self.linux:
            self.put("Processor Information(_Total)\\% Processor Performance", self.performance)
            self.put("Processor Information(_Total)\\% of Maximum Frequency", self.frequency)
        waiting = self.rng("queue")
        queue = []
        for i in range(n):
            u = self.busy[i] / 100
            usual = waiting.random() ** 4 * 3
            queue.append(float(round(usual + p * 2.5 * max(0.0, (u - 0.85) / 0.15) ** 1.5 + self.queue_extra[i])))
        self.queue = queue
        self.put("System\\Processor Queue Length", queue)
        switches = self.work("switches", 0.06, True)
        self.put("System\\Context Switches/sec",
                 [p * 1100 * (0.6 + 0.4 * a) * b * (0.8 + u / 100) for a, b, u in zip(switches, self.switch_factor, self.busy)])
        self.put("System\\System Up Time", self.uptime)

    def put_memory(self):
        total = self.memory_gb * GIB
        private = [sum(a) for a in zip(*[[v if alive else 0.0 for v, alive in zip(q.private, q.alive)]
                                         for q in self.processes])]
        self.private_total = private
        base = self.level("memory others", 0.06 * total)
        commit = [a + b + c + d + e for a, b, c, d, e in
                  zip(private, base, self.pool_paged, self.pool_nonpaged, self.commit_extra)]
        limit = total * 1.25
        resident = [0.9 * a + b + 0.8 * c + d + 0.85 * e for a, b, c, d, e in
                    zip(private, base, self.pool_paged, self.pool_nonpaged, self.commit_extra)]
        cache = self.level("cache", 0.03 * total)
        available = [max(total * 0.004, total - a - b) for a, b in zip(resident, cache)]
        short = [max(0.0, 1 - a / (0.03 * total)) for a in available]
        paging = self.work("paging", 0.4, True)
        reads = [8 * a * b + 900 * c for a, b, c in zip(paging, self.paging, short)]
        self.available = available
        self.put("Memory\\Available MBytes", [float(int(a / MIB)) for a in available])
        self.put("Memory\\Committed Bytes", commit)
        self.put("Memory\\Commit Limit", [float(limit)] * self.n)
        self.put("Memory\\% Committed Bytes In Use", [100 * a / limit for a in commit])
        self.put("Memory\\Pages/sec", [2.5 * a for a in reads])
        self.put("Memory\\Page Reads/sec", reads)
        self.put("Memory\\Pool Paged Bytes", self.pool_paged)
        self.put("Memory\\Pool Nonpaged Bytes", self.pool_nonpaged)
        self.put("Memory\\Cache Bytes", cache)
        if self.linux:
            self.put("Memory\\Total Bytes", [float(total)] * self.n)
        else:
            self.put("Paging File(_Total)\\% Usage", [2 + 25 * c + abs(a) * 0.1 for a, c in zip(self.normal("page file"), short)])

    def put_disks(self):
        sums = {}
        for disk in self.disks:
            reads, writes = disk.reads, disk.writes
            reading = [a * b for a, b in zip(reads, disk.read_time)]
            writing = [a * b for a, b in zip(writes, disk.write_time)]
            queue = [a + b + c for a, b, c in zip(reading, writing, disk.extra_queue)]
            dice = self.rng("queue of disk " + disk.name).random
            now = [float(round(-math.log(1 - dice()) * a)) if a < 3 else float(round(a * (0.9 + 0.2 * dice()))) for a in queue]
            idle = [100 * math.exp(-min(50.0, a)) for a in queue]
            values = {
                "Avg. Disk sec/Read": [a if r > 0 else 0.0 for a, r in zip(disk.read_time, reads)],
                "Avg. Disk sec/Write": [a if w > 0 else 0.0 for a, w in zip(disk.write_time, writes)],
                "Disk Reads/sec": reads,
                "Disk Writes/sec": writes,
                "Disk Bytes/sec": [a * b + c * d for a, b, c, d in zip(reads, disk.read_bytes, writes, disk.write_bytes)],
                "Current Disk Queue Length": now,
                "Avg. Disk Queue Length": queue,
                "% Idle Time": idle,
            }
            for counter, column in values.items():
                self.put("PhysicalDisk(%s)\\%s" % (disk.name, counter), column)
                if counter not in ("Avg. Disk sec/Read", "Avg. Disk sec/Write"):
                    sums[counter] = [a + b for a, b in zip(sums.get(counter, self.zeros()), column)]
            sums["reading"] = [a + b for a, b in zip(sums.get("reading", self.zeros()), reading)]
            sums["writing"] = [a + b for a, b in zip(sums.get("writing", self.zeros()), writing)]
            for volume in disk.volumes:
                for counter in ("Avg. Disk sec/Read", "Avg. Disk sec/Write", "Disk Reads/sec", "Disk Writes/sec"):
                    if len(self.disks) < 12 and not self.linux:
                        self.put("LogicalDisk(%s)\\%s" % (volume, counter), values[counter])
                self.put("LogicalDisk(%s)\\%% Free Space" % volume, [100 * a / disk.size_gb for a in disk.free_gb])
                self.put("LogicalDisk(%s)\\Free Megabytes" % volume, [float(int(a * 1024)) for a in disk.free_gb])
        sums["% Idle Time"] = [a / len(self.disks) for a in sums["% Idle Time"]]
        sums["Avg. Disk sec/Read"] = [a / b if b else 0.0 for a, b in zip(sums.pop("reading"), sums["Disk Reads/sec"])]
        sums["Avg. Disk sec/Write"] = [a / b if b else 0.0 for a, b in zip(sums.pop("writing"), sums["Disk Writes/sec"])]
        for counter, column in sums.items():
            self.put("PhysicalDisk(_Total)\\" + counter, column)

    def put_network(self):
        nic = "eth0" if self.linux else "Intel[R] Ethernet Controller X550"
        sent = self.work("net sent", 0.12, True)
        received = self.work("net received", 0.12, True)
        most = 125e6 * 0.965
        sent = [min(most * (0.995 + 0.005 * (i % 7) / 7), 5.5e6 * a + b)
                for i, (a, b) in enumerate(zip(sent, self.net_extra))]
        received = [2.2e6 * a + 0.02 * b for a, b in zip(received, self.net_extra)]
        name = "Network Interface(%s)" % nic
        self.put(name + "\\Bytes Sent/sec", sent)
        self.put(name + "\\Bytes Received/sec", received)
        self.put(name + "\\Bytes Total/sec", [a + b for a, b in zip(sent, received)])
        self.put(name + "\\Packets Sent/sec", [a / 1200 for a in sent])
        self.put(name + "\\Packets Received/sec", [a / 700 for a in received])
        self.put(name + "\\Current Bandwidth", [1e9] * self.n)
        self.put(name + "\\Output Queue Length", [0.0] * self.n)
        self.put(name + "\\Packets Received Discarded", self.since_start(self.sparse("discards", 0.002, 2.0), self.discarded))
        self.put(name + "\\Packets Outbound Discarded", [0.0] * self.n)
        segments = [a / 1300 for a in sent]
        lost = [0.0006 * s * (0.5 + b) for s, b in zip(segments, self.sparse("retransmitted", 0.6, 1.0))]
        self.put("TCPv4\\Segments Sent/sec", segments)
        self.put("TCPv4\\Segments Received/sec", [a / 800 for a in received])
        self.put("TCPv4\\Segments Retransmitted/sec",
                 [a if f == 1.0 else s * f for a, s, f in zip(lost, segments, self.retransmitted)])
        self.put("TCPv4\\Connections Established", [float(round(a)) for a in self.connections])
        self.put("TCPv4\\Connection Failures", self.since_start(self.sparse("failures", 0.03, 1.0), self.failures))

    def since_start(self, *parts):
        """A count since the start of the machine, of which some are new in each sample."""
        out, at = [], 2000.0
        for values in zip(*parts):
            at += sum(round(a) for a in values)
            out.append(at)
        return out

    def put_processes(self):
        n = self.n
        idle = [100.0 * self.processors - self.processors * a for a in self.busy]
        counters = ("% Processor Time", "% Privileged Time", "ID Process", "Private Bytes", "Working Set", "Handle Count",
                    "Thread Count", "IO Data Bytes/sec", "Elapsed Time")
        sums = {c: self.zeros() for c in counters}
        for q in self.processes:
            io = q.io if not self.linux else q.io
            values = dict(zip(counters, (
                q.cpu, [0.2 * a for a in q.cpu], q.pid, q.private, [0.9 * a for a in q.private],
                [float(round(a)) for a in q.handles], [float(round(a)) for a in q.threads], io, q.age)))
            for counter, column in values.items():
                if not all(q.alive):
                    column = [v if alive else None for v, alive in zip(column, q.alive)]
                self.put("Process(%s)\\%s" % (q.instance, counter), column)
                sums[counter] = [a + (b or 0.0) for a, b in zip(sums[counter], column)]
        threads = [a + 300 for a in sums["Thread Count"]]
        if not self.linux:
            self.put("Process(Idle)\\% Processor Time", idle)
            self.put("Process(Idle)\\ID Process", [0.0] * n)
            sums["% Processor Time"] = [a + b for a, b in zip(sums["% Processor Time"], idle)]
            sums["ID Process"] = self.zeros()
            sums["Elapsed Time"] = self.uptime
            for counter, column in sums.items():
                self.put("Process(_Total)\\" + counter, column)
        self.put("System\\Threads", threads)
        self.put("System\\Processes", [float(90 + sum(a)) for a in zip(*[q.alive for q in self.processes])])
        self.handles_total = sums["Handle Count"]

    def put_sql(self, sql):
        o = sql.name + ":"
        ratio = [a / b for a, b in zip(sql.batches, sql.usual_batches)]
        self.put(o + "SQL Statistics\\Batch Requests/sec", sql.batches)
        self.put(o + "SQL Statistics\\SQL Compilations/sec", [0.08 * a * f for a, f in
                                                              zip(sql.batches, self.factor(o + "compilations", 0.1))])
        self.put(o + "General Statistics\\User Connections", [float(round(a)) for a in sql.connections])
        self.put(o + "General Statistics\\Processes blocked", [float(round(a)) for a in sql.blocked])
        self.put(o + "Buffer Manager\\Page life expectancy", sql.ple)
        self.put(o + "Buffer Manager\\Page reads/sec", sql.page_reads)
        self.put(o + "Buffer Manager\\Lazy writes/sec", sql.lazy_writes)
        self.put(o + "Buffer Manager\\Free list stalls/sec", [0.0] * self.n)
        self.put(o + "Memory Manager\\Memory Grants Pending", sql.grants_pending)
        self.put(o + "Memory Manager\\Memory Grants Outstanding", sql.grants)
        total = sql.process.private
        self.put(o + "Memory Manager\\Total Server Memory (KB)", [0.95 * a / 1024 for a in total])
        self.put(o + "Locks(_Total)\\Average Wait Time (ms)", sql.lock_wait)
        self.put(o + "Locks(_Total)\\Number of Deadlocks/sec", sql.deadlocks)
        shares = [0.5, 0.3, 0.15, 0.05]
        sums = {"Transactions/sec": self.zeros(), "Log Flush Wait Time": self.zeros(), "Log Flushes/sec": self.zeros()}
        for database, share in zip(sql.databases, shares):
            name = o + "Databases(%s)\\" % database
            values = {"Transactions/sec": [1.2 * share * a for a in sql.batches],
                      "Log Flush Wait Time": sql.log_wait[database],
                      "Log Flushes/sec": [0.3 * share * a for a in sql.batches]}
            for counter, column in values.items():
                self.put(name + counter, column)
                sums[counter] = [a + b for a, b in zip(sums[counter], column)]
        for counter, column in sums.items():
            self.put(o + "Databases(_Total)\\" + counter, column)
        self.put(o + "Transactions\\Version Store Size (KB)", sql.version_store)
        self.put(o + "Transactions\\Free Space in tempdb (KB)", [max(0.0, sql.tempdb_kb - a) for a in sql.version_store])
        self.put(o + "Wait Statistics(Average wait time (ms))\\Log write waits", sql.log_write_wait)
        self.put(o + "Wait Statistics(Average wait time (ms))\\Lock waits", sql.lock_wait)
        if sql.replica:
            name = o + "Database Replica(%s)\\" % sql.databases[0]
            self.put(name + "Log Send Queue", sql.send_queue)
            self.put(name + "Recovery Queue", sql.redo_queue)
            self.put(name + "Transaction Delay", sql.transaction_delay)
            self.put(name + "Redone Bytes/sec", [1.5e6 * min(1.0, a) * f for a, f in
                                                 zip(ratio, self.factor(o + "redone", 0.1))])

    def put_web(self):
        w = self.web
        current = [a * b / 1000 + c for a, b, c in zip(w.requests, w.execution, w.queued)]
        self.put("ASP.NET\\Requests Current", [float(round(a)) for a in current])
        self.put("ASP.NET\\Requests Queued", [float(round(a)) for a in w.queued])
        self.put("ASP.NET\\Request Wait Time", w.wait)
        self.put("ASP.NET\\Requests Rejected", self.since_start(w.rejected))
        self.put("ASP.NET\\Application Restarts", [0.0] * self.n)
        self.put("ASP.NET Applications(__Total__)\\Requests/Sec", w.requests)
        self.put("ASP.NET Applications(__Total__)\\Request Execution Time", w.execution)
        self.put("ASP.NET Applications(__Total__)\\Errors Total/Sec", self.sparse("web errors", 0.05, 0.3))
        for i, pool in enumerate(w.pools):
            name = "HTTP Service Request Queues(%s)\\" % pool
            self.put(name + "CurrentQueueSize", [float(round(a)) if i == 1 else 0.0 for a in w.queued])
            self.put(name + "ArrivalRate", [a * [0.1, 0.5, 0.3, 0.1][i] for a in w.requests])
            self.put(name + "RejectedRequests", self.since_start(w.rejected) if i == 1 else [2000.0] * self.n)
        self.put("Web Service(_Total)\\Current Connections", [float(round(0.8 * a)) for a in self.connections])
        for instance, values in w.gc.items():
            self.put(".NET CLR Memory(%s)\\%% Time in GC" % instance, [min(100.0, a) for a in values])
            self.put(".NET CLR Memory(%s)\\Allocated Bytes/sec" % instance, w.allocated[instance])

    def put_hyperv(self):
        h = self.hv
        for c in range(self.processors):
            busy = [clamp(0, a * f + 12, 100) for a, f in zip(self.busy, self.factor("lp %d" % c, 0.1))]
            self.put("Hyper-V Hypervisor Logical Processor(Hv LP %d)\\%% Total Run Time" % c, busy)
        self.put("Hyper-V Hypervisor Logical Processor(_Total)\\% Total Run Time",
                 [sum(a) / self.processors for a in zip(*[v for k, v in self.out.items() if "(Hv LP " in k])])
        for (m, v), values in h.run.items():
            name = "Hyper-V Hypervisor Virtual Processor(%s:Hv VP %d)\\" % (m, v)
            self.put(name + "% Guest Run Time", [min(100.0, a) for a in values])
            self.put(name + "CPU Wait Time Per Dispatch", h.wait[(m, v)])
        for m in h.machines:
            self.put("Hyper-V Dynamic Memory VM(%s)\\Current Pressure" % m, [float(round(a)) for a in h.pressure[m]])
            name = "Hyper-V Virtual Storage Device(%s)\\" % ("C:-VMs-%s.vhdx" % m)
            self.put(name + "Latency", h.latency[m])
            self.put(name + "Read Operations/sec", h.operations[m])

    def put_directory(self):
        d = self.ad
        self.put("DirectoryServices(NTDS)\\LDAP Searches/sec", d.searches)
        self.put("DirectoryServices(NTDS)\\LDAP Bind Time", [float(round(a)) for a in d.bind])
        self.put("DirectoryServices(NTDS)\\LDAP Client Sessions", [float(round(2 * a)) for a in self.connections])
        self.put("DirectoryServices(NTDS)\\LDAP Active Threads", d.threads)
        self.put("DirectoryServices(NTDS)\\ATQ Outstanding Queued Requests", d.queued)
        self.put("DirectoryServices(NTDS)\\ATQ Request Latency", [float(round(a)) for a in d.latency])
        self.put("Security System-Wide Statistics\\Kerberos Authentications", [0.2 * a for a in d.searches])

    def put_linux(self):
        running = [float(max(1, round(self.processors * u / 100 + q))) for u, q in zip(self.busy, self.queue)]
        self.put("System\\Threads Running", running)
        self.put("System\\Threads Blocked", [float(round(a)) for a in self.blocked])
        self.put("System\\Forks/sec", self.forks)
        load, out = float(running[0]), []
        keep = math.exp(-self.step / 60)
        for a, b in zip(running, self.blocked):
            load = load * keep + (a + b) * (1 - keep)
            out.append(load)
        self.put("System\\Load Average 1 Minute", out)
        self.put("System\\Open Files", [a + 3000 for a in self.handles_total])
        self.put("System\\Open Files Limit", [self.open_files_limit] * self.n)
        for c in range(self.processors):
            self.put("Processor(%d)\\%% Steal Time" % c, [a * f for a, f in zip(self.steal, self.factor("steal %d" % c, 0.2))])
        self.put("Processor(_Total)\\% Steal Time",
                 [sum(a) / self.processors for a in zip(*[v for k, v in self.out.items() if k.endswith("Steal Time")])])
        wait_io = [sum(a) for a in zip(*[self.out["PhysicalDisk(%s)\\Avg. Disk Queue Length" % d.name] for d in self.disks])]
        some_cpu = [min(99.0, 0.5 * abs(z) + 100 * q / (q + 2.0 * self.processors)) for z, q in
                    zip(self.normal("psi cpu"), self.queue)]
        some_io = [min(99.0, 0.4 * abs(z) + 100 * (a / (a + 12.0)) * 0.6 + 3 * b) for z, a, b in
                   zip(self.normal("psi io"), wait_io, self.blocked)]
        for name, values in (("cpu some", some_cpu), ("io some", some_io), ("io full", [0.6 * a for a in some_io]),
                             ("memory some", self.memory_stall), ("memory full", [0.5 * a for a in self.memory_stall])):
            self.put("Pressure Stall(%s)\\%% Stalled Time" % name, values)
        for path, members in self.cgroups.items():
            name = "Cgroup(%s)\\" % path
            self.put(name + "% Processor Time", [sum(a) for a in zip(*[q.cpu for q in members])])
            self.put(name + "Memory Bytes", [sum(a) for a in zip(*[q.private for q in members])])
            self.put(name + "I/O Read Bytes/sec", [0.7 * sum(a) for a in zip(*[q.io for q in members])])
            self.put(name + "I/O Write Bytes/sec", [0.3 * sum(a) for a in zip(*[q.io for q in members])])
        self.put("TCPv4\\Listen Overflows/sec", self.overflows)


def stamp(world, seconds):
    """A time of the log in UTC, as pmon's JSON has it, from seconds since its start."""
    moment = world.start + datetime.timedelta(seconds=seconds, minutes=world.zone[1])
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (moment.microsecond // 1000)


def write_csv(world, columns, path):
    """As relog writes it: local times, quotes, a blank where a counter has no value."""
    head = ["(PDH-CSV 4.0) (%s)(%d)" % world.zone] + ["\\\\%s\\%s" % (world.machine, name) for name in columns]
    body = [["%.10g" % v if v is not None else " " for v in values] for values in columns.values()]
    missing = set()
    for first, last in world.down:
        missing.update(range(first, last + 1))
    moments = [world.start + datetime.timedelta(seconds=t) for t in world.times]
    with open(path, "w", newline="", encoding="utf-8") as file:
        file.write('"' + '","'.join(head) + '"\r\n')
        for i, row in enumerate(zip(*body)):
            if i == world.header_again:
                file.write('"' + '","'.join(head) + '"\r\n')
            if i not in missing:
                when = moments[i].strftime("%m/%d/%Y %H:%M:%S.") + "%03d" % (moments[i].microsecond // 1000)
                file.write('"' + when + '","' + '","'.join(row) + '"\r\n')
