#!/usr/bin/env python3
"""client.py - ask a server of pmon while one of its calls fails (preload.c starts it)

client.py ADDRESS_FILE PROCESS OUTPUT PATH...

ADDRESS_FILE gets the server's address on its first line. Each PATH is asked for, twice if the first try fails, and the
server is ended. OUTPUT gets the answers when all are there and nothing reports a loss; it is not made when the server
reports an error, cuts an answer, refuses to connect or has ended. An answer that does not come is an answer that is wrong.
"""
# SPDX-License-Identifier: MIT

import http.client
import json
import os
import re
import signal
import sys
import time
import urllib.parse

SECONDS = 120


class Refused(Exception):
    """The server says that it cannot answer."""


def has_ended(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] in "ZX"
    except OSError:
        return True


def address_of(path, process):
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        ended = has_ended(process)
        with open(path) as file:
            line = file.readline()
        if line.endswith("\n"):
            return urllib.parse.urlsplit(line.strip())
        if ended:
            raise Refused
        time.sleep(0.002)
    raise TimeoutError


def ask_once(address, path, method="GET", token=None):
    server = http.client.HTTPConnection(address.hostname, address.port, timeout=SECONDS)
    try:
        server.request(method, path, headers={"Authorization": "Bearer " + token} if token else {})
        answer = server.getresponse()
        body = answer.read()
    except TimeoutError:
        raise
    except (OSError, http.client.HTTPException) as err:
        raise Refused from err
    finally:
        server.close()
    if answer.status != 200:
        raise Refused
    return body


def ask(address, path, token):
    try:
        return ask_once(address, path, token=token)
    except Refused:
        return ask_once(address, path, token=token)


# The secret of a page, for the key in its address.
def enter(address):
    if not address.query.startswith("key="):
        return None
    return json.loads(ask_once(address, "/api/enter", "POST", address.query[4:]))["secret"]


# The page shows "failed" and losses: what is there then is not passed off as all.
def wait_until_loaded(address, token):
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        one = json.loads(ask(address, "/api/log", token))["sets"][0]
        if one["state"] == "failed" or one["losses"] > 0:
            raise Refused
        if one["state"] != "loading":
            return
        time.sleep(0.005)
    raise TimeoutError


def main():
    process, output, paths = int(sys.argv[2]), sys.argv[3], sys.argv[4:]
    answers = None
    try:
        address = address_of(sys.argv[1], process)
        token = enter(address)
        if paths[0].startswith("/api/"):
            wait_until_loaded(address, token)
        answers = b"".join(ask(address, path, token) for path in paths)
        answers = re.sub(rb"(?m)^pmon_serve_scrape_duration_seconds_.*\n", b"", answers)  # differs each time
    except Refused:
        pass
    except TimeoutError:
        answers = b"no answer\n"
    if not has_ended(process):
        os.kill(process, signal.SIGTERM)
    if answers is not None:
        with open(output, "wb") as file:
            file.write(answers)


main()
