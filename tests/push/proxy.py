#!/usr/bin/env python3
# proxy.py - a network that fails: cuts, delays, answers 500, loses answers
# SPDX-License-Identifier: MIT
#
#	proxy.py PORT TO_PORT [--seed N] [--trouble SHARE] [--delay SECONDS] [--tls FILE]
#
# Passes connections on the loopback from PORT to TO_PORT. In a share of all requests, chosen by the seed,
# one of these happens:
#
#	cut      the connection ends somewhere in the request
#	refuse   the request is not passed on, and answered with 500
#	lose     the request is passed on, its answer is not, and the connection ends
#	delay    the request waits
#
# With --tls clients speak TLS; FILE holds the key and the certificate.

import argparse
import random
import socket
import ssl
import threading
import time

REFUSAL = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 8\r\nConnection: close\r\n\r\nnot now\n"


def pump(source, sink):
    """Pass on what comes, to the end."""
    try:
        while part := source.recv(65536):
            sink.sendall(part)
    except OSError:
        pass
    for side in (source, sink):
        try:
            side.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Connection:
    """One connection of a client; each begins with a throw of the dice, and so does each request in it."""

    def __init__(self, client, options, dice):
        self.client = client
        self.options = options
        self.dice = dice
        self.server = None

    def connect(self):
        self.server = socket.create_connection(("127.0.0.1", self.options.to))

    def fate(self):
        if self.dice.random() >= self.options.trouble:
            return "pass"
        return self.dice.choice(["cut", "refuse", "lose", "delay"])

    def swallow(self, most):
        """Read up to `most` bytes of the request, and pass on none."""
        self.client.settimeout(0.2)
        try:
            while most > 0 and (part := self.client.recv(min(most, 65536))):
                most -= len(part)
        except OSError:
            pass

    def pass_some(self, most):
        """Pass on up to `most` bytes."""
        while most > 0 and (part := self.client.recv(min(most, 65536))):
            self.server.sendall(part)
            most -= len(part)

    def run(self):
        try:
            fate = self.fate()
            if fate == "refuse":
                self.swallow(1 << 30)
                self.client.sendall(REFUSAL)
            elif fate == "cut":
                self.connect()
                self.client.settimeout(0.3)     # a request that is shorter: its client waits for an answer
                self.pass_some(self.dice.choice([1, 100, 1000, 30000, 300000]))
            elif fate == "lose":
                self.connect()
                self.client.settimeout(0.3)
                try:
                    self.pass_some(1 << 40)
                except OSError:
                    pass
                self.server.recv(1)
            else:
                if fate == "delay":
                    time.sleep(self.dice.random() * self.options.delay)
                self.connect()
                back = threading.Thread(target=pump, args=(self.server, self.client), daemon=True)
                back.start()
                self.relay()
        except OSError:
            pass
        finally:
            for side in (self.client, self.server):
                if side is not None:
                    side.close()

    def relay(self):
        """A good connection may be cut later, at any request."""
        while part := self.client.recv(65536):
            if part.startswith((b"POST ", b"GET ")) and self.dice.random() < self.options.trouble / 4:
                return
            self.server.sendall(part)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("to", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trouble", type=float, default=0.3)
    parser.add_argument("--delay", type=float, default=0.3)
    parser.add_argument("--tls")
    options = parser.parse_args()
    context = None
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.tls)
    seeds = random.Random(options.seed)
    listener = socket.create_server(("127.0.0.1", options.port))
    while True:
        client, _ = listener.accept()
        try:
            client = context.wrap_socket(client, server_side=True) if context else client
        except OSError:
            continue
        connection = Connection(client, options, random.Random(seeds.random()))
        threading.Thread(target=connection.run, daemon=True).start()


main()
