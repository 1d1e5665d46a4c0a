#!/usr/bin/env python3
# cutter.py - a network that fails in the middle of things: cutter.py PORT TO_PORT SEED [SHARE] [BYTES]
# SPDX-License-Identifier: MIT
#
# Passes connections on the loopback from PORT to TO_PORT, both ways. A share of them is cut, chosen by the
# seed: after so many bytes one way or the other, up to BYTES. What comes after is lost, so that a server
# may have done what its client never hears of; sometimes the end of the connection comes late, too.

import random
import socket
import sys
import threading
import time

port, to, seed = map(int, sys.argv[1:4])
share = float(sys.argv[4]) if len(sys.argv) > 4 else 0.5
most = int(sys.argv[5]) if len(sys.argv) > 5 else 10_000_000


def pump(source, sink, left):
    try:
        while left > 0 and (part := source.recv(min(left, 65536))):
            sink.sendall(part)
            left -= len(part)
    except OSError:
        pass


def serve(client, dice):
    try:
        server = socket.create_connection(("127.0.0.1", to))
    except OSError:
        client.close()
        return
    forth = back = 1 << 60
    late = 0
    if dice.random() < share:
        if dice.random() < 0.5:
            forth = int(most ** dice.random())
        else:
            back = int(3000 ** dice.random())
        late = dice.choice([0, 0, 0.3])
    ended = threading.Event()

    def one_way(source, sink, left):
        pump(source, sink, left)
        ended.set()

    for way in ((client, server, forth), (server, client, back)):
        threading.Thread(target=one_way, args=way, daemon=True).start()
    ended.wait()
    time.sleep(late)
    for side in (client, server):
        try:
            side.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        side.close()


seeds = random.Random(seed)
listener = socket.create_server(("127.0.0.1", port))
while True:
    accepted, _ = listener.accept()
    threading.Thread(target=serve, args=(accepted, random.Random(seeds.random())), daemon=True).start()
