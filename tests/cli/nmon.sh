#!/usr/bin/env bash
# nmon.sh - recordings of nmon are logs
# SPDX-License-Identifier: MIT
#
# The file is a part of what nmon 16n recorded. Expected values are read from it again, by Python.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3

cat >w.nmon <<'NMON'
AAA,progname,nmon
AAA,version,16n
AAA,host,vm
AAA,interval,1
CPU001,CPU 1 vm,User%,Sys%,Wait%,Idle%,Steal%
CPU002,CPU 2 vm,User%,Sys%,Wait%,Idle%,Steal%
CPU_ALL,CPU Total vm,User%,Sys%,Wait%,Idle%,Steal%,Busy,CPUs
MEM,Memory MB vm,memtotal,hightotal,lowtotal,swaptotal,memfree,highfree,lowfree,swapfree,memshared,cached,active,bigfree,buffers,swapcached,inactive
PROC,Processes vm,Runnable,Blocked,pswitch,syscall,read,write,fork,exec,sem,msg
NET,Network I/O vm,lo-read-KB/s,ifb0-read-KB/s,ifb1-read-KB/s,eth0-read-KB/s,lo-write-KB/s,ifb0-write-KB/s,ifb1-write-KB/s,eth0-write-KB/s
NETPACKET,Network Packets vm,lo-read/s,ifb0-read/s,ifb1-read/s,eth0-read/s,lo-write/s,ifb0-write/s,ifb1-write/s,eth0-write/s
DISKBUSY,Disk %Busy vm,vda
DISKREAD,Disk Read KB/s vm,vda
DISKWRITE,Disk Write KB/s vm,vda
DISKXFER,Disk transfers per second vm,vda
DISKBSIZE,Disk Block Size vm,vda
ZZZZ,T0001,11:19:07,29-NOV-2026
CPU001,T0001,19.6,12.1,0.0,68.2,0.0
CPU002,T0001,70.9,10.0,0.0,19.1,0.0
CPU_ALL,T0001,45.7,11.4,0.0,42.9,0.0,,2
MEM,T0001,24105.6,-0.0,-0.0,0.0,19003.9,-0.0,-0.0,0.0,40.5,4349.4,2780.2,-1.0,58.9,0.0,1719.2
PROC,T0001,2,0,0.0,-1.0,-1.0,-1.0,0.0,-1.0,-1.0,-1.0
NET,T0001,0.0,0.0,0.0,0.1,0.0,0.0,0.0,0.1
NETPACKET,T0001,0.0,0.0,0.0,1.8,0.0,0.0,0.0,1.8
DISKBUSY,T0001,1.8
DISKREAD,T0001,1102.3
DISKWRITE,T0001,15485.6
DISKXFER,T0001,68.0
DISKBSIZE,T0001,243.9
ZZZZ,T0002,11:19:08,29-NOV-2026
CPU001,T0002,20.6,15.5,0.0,63.9,0.0
CPU002,T0002,49.5,19.8,1.0,29.7,0.0
CPU_ALL,T0002,35.0,17.8,0.5,46.7,0.0,,2
MEM,T0002,24105.6,-0.0,-0.0,0.0,19023.0,-0.0,-0.0,0.0,40.5,4350.1,2780.8,-1.0,59.0,0.0,1723.6
PROC,T0002,2,0,9837.1,-1.0,-1.0,-1.0,98.9,-1.0,-1.0,-1.0
NET,T0002,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0
NETPACKET,T0002,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0
DISKBUSY,T0002,1.0
DISKREAD,T0002,851.4
DISKWRITE,T0002,0.0
DISKXFER,T0002,189.9
DISKBSIZE,T0002,4.5
NMON

cat >compare.py <<'PYTHON'
import csv, sys

MAPPED = {  # (section, column): path, factor
    ("CPU_ALL", "User%"): ("Processor(_Total)\\% User Time", 1),
    ("CPU002", "Sys%"): ("Processor(1)\\% Privileged Time", 1),
    ("MEM", "memfree"): ("Memory\\Free & Zero Page List Bytes", 2**20),
    ("MEM", "cached"): ("nmon(MEM)\\cached", 1),
    ("PROC", "pswitch"): ("System\\Context Switches/sec", 1),
    ("NET", "eth0-write-KB/s"): ("Network Interface(eth0)\\Bytes Sent/sec", 1024),
    ("NETPACKET", "eth0-read/s"): ("Network Interface(eth0)\\Packets Received/sec", 1),
    ("DISKREAD", "vda"): ("PhysicalDisk(vda)\\Disk Read Bytes/sec", 1024),
    ("DISKXFER", "vda"): ("PhysicalDisk(vda)\\Disk Transfers/sec", 1),
    ("DISKBSIZE", "vda"): ("PhysicalDisk(vda)\\Avg. Disk Bytes/Transfer", 1024),
}
names, want, label = {}, {}, {}
for line in open("w.nmon"):
    cells = line.rstrip("\n").split(",")
    if cells[0] == "ZZZZ":
        label[cells[1]] = cells[2]
    elif cells[0] not in names:
        names[cells[0]] = cells[2:]
    elif cells[0] != "AAA":
        row = dict(zip(names[cells[0]], cells[2:]))
        at = label[cells[1]]
        for column, cell in row.items():
            if (cells[0], column) in MAPPED:
                path, factor = MAPPED[cells[0], column]
                want[at, path] = float(cell) * factor
        if "Idle%" in row:
            number = "_Total" if cells[0] == "CPU_ALL" else str(int(cells[0][3:]) - 1)
            want[at, "Processor(%s)\\% Processor Time".replace("%s", number)] = \
                100 - float(row["Idle%"]) - float(row["Wait%"])
        if cells[0] == "MEM":
            want[at, "Memory\\Cache Bytes"] = (float(row["cached"]) + float(row["buffers"])) * 2**20
        if cells[0] == "DISKBUSY":
            want[at, "PhysicalDisk(vda)\\% Idle Time"] = 100 - float(row["vda"])
rows = csv.reader(open("found.csv"))
paths = next(rows)
found = {(row[0][11:19], path[len("\\\\vm\\"):]): float(cell)
         for row in rows for path, cell in zip(paths[1:], row[1:]) if cell.strip()}
for key, value in want.items():
    if key not in found or abs(found[key] - value) > 1e-9 * max(1, abs(value)):
        print(key, "is", found.get(key), "want", value)
print(len(want), "compared")
PYTHON

run relog w.nmon -f csv -o found.csv -y
status 0
same "values" "$(python3 compare.py)" '30 compared'
run info w.nmon --log-zone Europe/Berlin --tz UTC
out_has '2026-11-29 10:19:07'
finish
