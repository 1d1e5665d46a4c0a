# machines.py - machines of Debian for tests/push/engine_docs.py, with no more than namespaces
# SPDX-License-Identifier: MIT
#
# "here" is the reader's machine; a, b, c, d and keeper are others, made when they are first used. Each has a network,
# a name, and /etc, /var/lib, /var/log and /run of its own, with the files that Debian's packages put there; so
# configurations are those of packages, and ports the usual ones. What the reader would do as root is done by
# stand-ins that come first in PATH: apt-get (the packages must be there already), systemctl (runs what the
# unit says, and waits until it answers), sudo, and ssh to another machine. A current ClickHouse is no package of
# Debian: clickhouse-server is tests/push/chdb_server.cjs, and clickhouse-client asks it.

import os
import shlex
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))

NETWORK = "192.0.2"
HOSTS = {"here": 1, "a": 11, "b": 12, "c": 13, "d": 14, "keeper": 20}
OWN = {"/etc": "etc", "/var/lib": "lib", "/var/log": "log", "/run": "run"}
FOLDERS = ("lib/clickhouse lib/prometheus lib/postgresql lib/victoria-metrics lib/zookeeper "
           "log/clickhouse-server log/zookeeper run/postgresql").split()
ANSWERS = {"clickhouse-server": "http://localhost:8123/ping", "prometheus": "http://localhost:9090/-/ready",
           "victoria-metrics": "http://localhost:8428/health"}
CLICKHOUSE = ("clickhouse-server", "clickhouse-client")
STARTED_BY_PACKAGE = ("clickhouse-server", "prometheus", "postgresql", "victoria-metrics")

STAND_IN = """#!/bin/sh
exec python3 %s %s %s "$@"
"""
# $1 name, $2 address, $3 folder, $4 "1": a machine of its own, which waits for its network
BOOT = r"""
set -e
hostname "$1"
ip link set lo up
if [ "$4" = 1 ]; then
    until ip link set eth0 up 2>/dev/null; do sleep 0.02; done
    ip addr add "$2/24" dev eth0
fi
mkdir -p "$3/lib/dpkg"
mount --bind /var/lib/dpkg "$3/lib/dpkg"
mount --rbind "$3/lib" /var/lib
mount --bind "$3/log" /var/log
mount --bind "$3/run" /run
mount --bind "$3/etc" /etc
"""


class Site:
    def __init__(self, folder, pmon):
        self.folder = folder
        bin_folder = os.path.join(folder, "bin")
        os.makedirs(bin_folder)
        os.symlink(pmon, os.path.join(bin_folder, "pmon"))
        for name in ("apt-get", "systemctl", "sudo", "ssh", "clickhouse-client"):
            path = os.path.join(bin_folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(STAND_IN % tuple(map(shlex.quote, (os.path.abspath(__file__), folder, name))))
            os.chmod(path, 0o755)
        os.makedirs(os.path.join(folder, "home"))
        self.env = {"PATH": bin_folder + ":" + os.environ["PATH"], "HOME": os.path.join(folder, "home"),
                    "LC_ALL": "C.UTF-8", "TZ": "UTC", "USER": "reader"}
        for variable in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
            if variable in os.environ:
                self.env[variable] = os.environ[variable]
        subprocess.run(["sh", "-c", "ip link add br0 type bridge && ip addr add %s.1/24 dev br0 && "
                                    "ip link set br0 up" % NETWORK], check=True)
        prepare(folder, "here")
        subprocess.run(["sh", "-c", BOOT, "sh", "here", "", os.path.join(folder, "here"), ""], check=True)

    def missing(self):
        """The package that apt-get was asked for and that is not here"""
        try:
            with open(os.path.join(self.folder, "missing"), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def write(self, host, path, text):
        """On the machine itself: links in /etc lead to files of its own there"""
        enter = [] if host == "here" else enter_command(self.folder, host)
        subprocess.run(enter + ["sh", "-c", 'mkdir -p "${1%/*}" && cat >"$1"', "sh", path], input=text, text=True,
                       check=True)


def prepare(folder, name):
    mine = os.path.join(folder, name)
    for own in list(OWN.values()) + FOLDERS:
        os.makedirs(os.path.join(mine, own), exist_ok=True)
    # What only root may read is of no use here.
    subprocess.run(["cp", "-r", "--preserve=links,mode", "/etc/.", os.path.join(mine, "etc")],
                   stderr=subprocess.DEVNULL, check=False)
    hosts = "".join("%s.%d %s\n" % (NETWORK, HOSTS[host], host) for host in HOSTS)
    with open(os.path.join(mine, "etc", "hosts"), "w", encoding="utf-8") as file:
        file.write("127.0.0.1 localhost\n" + hosts)
    if os.getuid() == 0:  # PostgreSQL's server refuses to be root
        for part in ("lib/postgresql", "run/postgresql"):
            os.chown(os.path.join(mine, part), *postgres_user())


def pid_of(folder, host):
    """The process that keeps a machine, which is made if it is not there"""
    name = os.path.join(folder, host + ".pid")
    if not os.path.exists(name):
        prepare(folder, host)
        boot = subprocess.Popen(
            ["unshare", "--net", "--mount", "--uts", "--propagation", "private", "sh", "-c",
             BOOT + "echo ready; exec sleep infinity", "sh", host, "%s.%d" % (NETWORK, HOSTS[host]),
             os.path.join(folder, host), "1"], stdout=subprocess.PIPE, text=True, start_new_session=True)
        while os.path.samefile("/proc/%d/ns/net" % boot.pid, "/proc/self/ns/net"):
            time.sleep(0.01)
        subprocess.run(["sh", "-c", "ip link add v%s type veth peer name eth0 netns %d && "
                                    "ip link set v%s master br0 up" % (host, boot.pid, host)], check=True)
        if boot.stdout.readline() != "ready\n":
            sys.exit("machine %s did not start" % host)
        with open(name, "w", encoding="utf-8") as file:
            file.write(str(boot.pid))
    with open(name, encoding="utf-8") as file:
        return file.read()


def enter_command(folder, host):
    return ["nsenter", "-t", pid_of(folder, host), "-n", "-m", "-u", "--wd=/"]


# ---- What the reader calls --------------------------------------------------------------------


def ssh(folder, host, *command):
    enter = enter_command(folder, host)
    os.execvp(enter[0], enter + ["sh", "-c", " ".join(command)])


def sudo(_folder, *command):
    if command[0] == "-u":  # a user of the system here is one of PostgreSQL there
        os.environ["PGUSER"] = command[1]
        command = command[2:]
    os.execvp(command[0], command)


def is_here(package):
    if package in CLICKHOUSE:
        return bool(shutil.which("node")) and os.path.isdir(os.path.join(HERE, "node_modules", "chdb"))
    return subprocess.run(["dpkg", "-s", package], capture_output=True, check=False).returncode == 0


def clickhouse_client(_folder, *arguments):
    sql = arguments[1] if arguments else sys.stdin.read()
    for statement in filter(str.strip, sql.split(";\n")):
        try:
            answer = urllib.request.urlopen("http://localhost:8123/", statement.rstrip(";\n").encode(), timeout=300)
        except urllib.error.HTTPError as error:
            sys.exit(error.read().decode())
        sys.stdout.write(answer.read().decode())


def apt_get(folder, verb, *packages):
    for package in packages:
        if package.startswith("-"):
            continue
        if not is_here(package):
            with open(os.path.join(folder, "missing"), "w", encoding="utf-8") as file:
                file.write(package)
            sys.exit("E: Unable to locate package " + package)
    if verb == "install":
        for package in packages:
            if package in STARTED_BY_PACKAGE:
                systemctl(folder, "start", package)


def systemctl(folder, verb, unit):
    host = os.uname().nodename
    pid_file = os.path.join(folder, host, unit + ".pid")
    running = None
    if os.path.exists(pid_file):
        with open(pid_file, encoding="utf-8") as file:
            running = file.read()
    if verb == "reload":
        os.kill(int(running), 1)
        return
    if running and verb == "start":
        return
    if running:
        stop(int(running))
    if verb == "stop":
        os.unlink(pid_file)
        return
    command = postgresql(folder) if unit == "postgresql" else command_of(unit)
    with open(os.path.join(folder, host, unit + ".log"), "ab") as log:
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
                                  start_new_session=True)
    with open(pid_file, "w", encoding="utf-8") as file:
        file.write(str(server.pid))
    wait_for(unit, server, log.name)


def stop(pid):
    os.kill(pid, 15)
    while os.path.exists("/proc/%d" % pid) and state_of(pid) != "Z":
        time.sleep(0.02)


def state_of(pid):
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "Z"


def command_of(unit):
    """What systemd would run: ExecStart, with the variables of EnvironmentFile"""
    if unit == "clickhouse-server":
        return ["node", os.path.join(HERE, "chdb_server.cjs"), "8123", "/var/lib/clickhouse"]
    with open("/lib/systemd/system/%s.service" % unit, encoding="utf-8") as file:
        said = dict(line.strip().split("=", 1) for line in file if "=" in line and line[0].isalpha())
    variables = ". %s; " % said["EnvironmentFile"].lstrip("-") if "EnvironmentFile" in said else ""
    return ["sh", "-c", variables + "exec " + said["ExecStart"]]


def wait_for(unit, server, log):
    for _ in range(1500):
        if server.poll() is not None:
            with open(log, encoding="utf-8", errors="replace") as file:
                sys.exit("%s ended:\n%s" % (unit, file.read()[-2000:]))
        if answers(unit):
            return
        time.sleep(0.04)
    sys.exit(unit + " does not answer")


def answers(unit):
    if unit == "postgresql":
        return subprocess.run(["pg_isready", "-q"], check=False).returncode == 0
    try:
        return urllib.request.urlopen(ANSWERS[unit], timeout=30).status == 200
    except OSError:
        return False


def postgres_user():
    import pwd
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    return entry.pw_uid, entry.pw_gid


def postgresql(folder):
    """As Debian's package makes the first cluster, but that the user of the system is not asked for"""
    versions = sorted(os.listdir("/usr/lib/postgresql"), key=float)
    programs = os.path.join("/usr/lib/postgresql", versions[-1], "bin")
    data = "/var/lib/postgresql/main"
    as_user = []
    if os.getuid() == 0:
        uid, gid = postgres_user()
        as_user = ["setpriv", "--reuid=%d" % uid, "--regid=%d" % gid, "--clear-groups"]
        for place in (folder, os.path.dirname(folder)):
            os.chmod(place, os.stat(place).st_mode | 0o111)
    if not os.path.exists(os.path.join(data, "PG_VERSION")):
        subprocess.run(as_user + [os.path.join(programs, "initdb"), "-D", data, "-U", "postgres", "-E", "UTF8",
                                  "--auth-local=trust", "--auth-host=scram-sha-256", "--no-sync"],
                       check=True, stdout=subprocess.DEVNULL, cwd="/")
    return as_user + [os.path.join(programs, "postgres"), "-D", data, "-c", "unix_socket_directories=/run/postgresql"]


if __name__ == "__main__":
    {"ssh": ssh, "sudo": sudo, "apt-get": apt_get, "systemctl": systemctl,
     "clickhouse-client": clickhouse_client}[sys.argv[2]](sys.argv[1], *sys.argv[3:])
