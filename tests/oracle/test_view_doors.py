#!/usr/bin/env python3
"""Nobody gets into pmon view who should not."""

import fcntl
import os
import pty
import re
import socket
import subprocess
import tempfile
import termios
import threading
import time
import urllib.parse

import common
from view import Server, check, check_headers, finish, need_server


def check_doors(name):
    server = Server(name)
    server.wait()
    own = "%s:%d" % (server.host, server.port)
    check(server.host == "127.0.0.1", "not on loopback: " + server.url)
    for path in ("/", "/main.js", "/style.css", "/chart.js", "/api/log"):
        status, headers, body = server.ask(path)
        check(status == 200, "%s: %d" % (path, status))
        check_headers(headers)
        status, headers, nothing = server.ask(path, method="HEAD")
        check(status == 200 and nothing == b"", "HEAD %s" % path)
        if path != "/api/log":
            check(int(headers["Content-Length"]) == len(body), "HEAD %s: length" % path)
    page = server.ask("/")[2].decode()
    check("<script>" not in page and not re.search(r"https?://|\son\w+=|style=", page),
          "the page asks elsewhere, or has script in it")
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"):
        server.refuses("/api/log", 405, method=method)
        if method != "POST":
            server.refuses("/api/enter", 405, method=method)
    server.refuses("/api/log", 400, headers={"Content-Length": "3"}, body=b"abc")
    for host in ("evil.example", "evil.example:%d" % server.port, "127.0.0.1", "127.0.0.1:1",
                 "127.0.0.1.evil.example:%d" % server.port, "[::1]:%d" % server.port,
                 "localhost", "x@" + own, own + ".", " ", "a" * 300):
        server.refuses("/api/log", 403, host=host)
    check(server.ask("/api/log", host="localhost:%d" % server.port)[0] == 200, "localhost")
    for origin in ("http://evil.example", "null", "https://" + own, "http://127.0.0.1:1",
                   "http://%s.evil.example" % own, "file://"):
        server.refuses("/api/log", 403, headers={"Origin": origin})
    check(server.ask("/api/log", headers={"Origin": "http://" + own})[0] == 200, "own origin")
    for path in ("/../etc/passwd", "/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd",
                 "/etc/passwd", "/api", "/api/", "/api/log/", "/API/LOG", "/main.js/", "/.",
                 "/index.html%00.js", "/api/log%00", "/web/page/main.js", "/" + "a" * 2000):
        got = server.ask(path)[0]
        check(got in (404, 400), "%s: %d" % (path[:60], got))
    check_raw(server)
    check_slow(server)
    server.close()


def check_raw(server):
    """Bytes that are no request do not end the server."""
    for junk in (b"\r\n\r\n", b"GET\r\n\r\n", b"\x00" * 100, b"GET / HTTP/1.1\r\n\r\n",
                 b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n",
                 b"GET / HTTP/1.1\r\nX: " + b"b" * 100000 + b"\r\n\r\n",
                 b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256))):
        with socket.create_connection((server.host, server.port), timeout=300) as s:
            try:
                s.sendall(junk)
                s.shutdown(socket.SHUT_WR)
                answer = s.recv(65536)
                check(not answer.startswith(b"HTTP/1.1 200"), "%r is answered" % junk[:40])
            except OSError:
                pass
        check(server.ask("/api/log")[0] == 200, "after %r" % junk[:40])
    own = b"Host: %s:%d\r\nAuthorization: Bearer %s\r\n" % (server.host.encode(), server.port, server.secret.encode())
    for twice in (own + b"Host: evil.example\r\n", b"Host: evil.example\r\n" + own, own + own.split(b"\n")[0] + b"\n",
                  own + b"hOsT: \r\n", own + b"Content-Length: 0\r\nContent-Length: 0\r\n",
                  own + b"Content-Length: 0\r\ncontent-length: 5\r\n"):
        check(first_line(server, twice) == b"HTTP/1.1 400 Bad Request", "%r" % twice)
    check(first_line(server, own + b"Content-Length: 0\r\n") == b"HTTP/1.1 200 OK", "without duplicates")


def first_line(server, headers):
    with socket.create_connection((server.host, server.port), timeout=300) as s:
        s.sendall(b"GET /api/log HTTP/1.1\r\n" + headers + b"\r\n")
        return s.makefile("rb").readline().rstrip()


REQUEST_SECONDS = 10  # that a request may take: a client that others keep waiting waits that long


def within(seconds, act):
    """Whether an act takes no longer, for which a busy machine has five tries."""
    for _ in range(5):
        start = time.monotonic()
        act()
        if time.monotonic() - start < seconds:
            return True
    return False


def slow_clients(server):
    """40 connections that send or read slowly; their requests have 10 s."""
    slow = []
    for _ in range(30):
        s = socket.create_connection((server.host, server.port), timeout=300)
        s.sendall(b"GET /api/log HTTP/1.1\r\nHost: ")
        slow.append(s)
    for _ in range(10):
        s = socket.create_connection((server.host, server.port), timeout=300)
        s.sendall(b"GET /api/events HTTP/1.1\r\nHost: %s:%d\r\nAuthorization: Bearer %s\r\n\r\n" %
                  (server.host.encode(), server.port, server.secret.encode()))
        slow.append(s)
    return slow


def check_slow(server):
    """Clients that send or read slowly keep nobody waiting."""
    slow = []

    def ask():
        slow.extend(slow_clients(server))
        check(server.ask("/api/log")[0] == 200, "slow clients")

    check(within(REQUEST_SECONDS - 1, ask), "slow clients keep others waiting")
    slow, older = slow_clients(server), slow
    # A byte now and then is not enough: the whole request has 10 s.
    start = time.monotonic()
    over = False
    while not over and time.monotonic() - start < 300:
        try:
            slow[0].sendall(b"a")
            slow[0].settimeout(0.5)
            over = slow[0].recv(10) == b""
        except socket.timeout:
            pass
        except OSError:
            over = True
    check(over, "a request may take for ever")
    for s in slow + older:
        s.close()


def check_crowd(name):
    """500 connections that ask nothing keep nobody out."""
    server = Server(name)
    server.wait()

    def ask():
        idle = [socket.create_connection((server.host, server.port), timeout=300) for _ in range(500)]
        time.sleep(0.5)
        try:
            status = server.ask("/api/log")[0]
        except OSError as error:
            status = error
        check(status == 200, "500 idle connections: %s" % status)
        for s in idle:
            s.close()

    check(within(REQUEST_SECONDS - 1, ask), "500 idle connections keep others waiting")
    check_reconnecting(server)
    server.close()


def half_open(server, over):
    while not over.is_set():
        try:
            with socket.create_connection((server.host, server.port), timeout=300) as s:
                s.sendall(b"GET / HTTP/1.1\r\nHo")
                s.recv(1)
        except OSError:
            pass


def check_reconnecting(server):
    """200 that begin a request and connect anew as soon as they are cut off."""
    over = threading.Event()
    clients = [threading.Thread(target=half_open, args=(server, over), daemon=True) for _ in range(200)]
    for client in clients:
        client.start()
    time.sleep(1)
    took = []
    for i in range(50):
        start = time.monotonic()
        try:
            status = server.ask("/main.js" if i % 2 else "/")[0]
        except OSError as error:
            status = error
        check(status == 200, "200 half-open connections: %s" % status)
        took.append(time.monotonic() - start)
    # A busy machine may be slow now and then.
    check(sorted(took)[25] < REQUEST_SECONDS - 1, "200 half-open connections keep others waiting: %s" % took)
    over.set()


HOSTILE = [
    "data", "data?ids=", "data?ids=,", "data?ids=1,", "data?ids=,1", "data?ids=1,,2", "data?ids=-1",
    "data?ids=0x1z", "data?ids=99999999", "data?ids=99999999999999999999999", "data?ids=0,0",
    "data?ids=a", "data?ids=%00", "data?ids=0%00", "data?ids=0&ids=1", "data?ids=0&columns=0",
    "data?ids=0&columns=4001", "data?ids=0&columns=-5", "data?ids=0&columns=1e3",
    "data?ids=0&from=yesterday", "data?ids=0&from=", "data?ids=0&from=99999-01-01",
    "data?ids=0&from=2030-01-01&to=2020-01-01", "data?ids=0&set=1", "data?ids=0&set=2",
    "data?ids=0&set=-1", "data?ids=0&what=1", "data?ids=0&=1", "data?ids=0&%00=1",
    "data?ids=" + ",".join(map(str, range(300))), "data?ids=" + "1" * 5000, "log?x", "log?x=1",
    "tree?object=a", "tree?machine=a&counter=b", "tree?limit=0", "tree?limit=2001",
    "tree?offset=-1", "tree?offset=99999999999", "tree?q=" + "a" * 2000,
    "tree?q=%5C", "select?pattern=", "select?pattern=%5C(",
    "select?pattern=a&q=b", "select?q=%5Ca(b", "select?pattern=" + "*a" * 1000, "first?max=0",
    "first?max=65", "series", "explain", "explain?id=", "explain?id=1,2", "explain?id=99999999",
    "explain?id=0&at=now", "export?ids=0", "export?ids=0&format=exe", "export?format=csv",
    "export?ids=0&format=../../etc/passwd", "marks?ids=x", "matching?to_set=0", "matching?ids=0&to_set=9",
    "events?interval_ms=-1", "events?interval_ms=3600001", "events?ids=99999999",
] + ["data?ids=0&from=%s" % urllib.parse.quote(text) for text in (
    "2016-13-01", "2016-02-30", "'; DROP TABLE", "<script>", "\n", "\u202e", "9" * 500,
    "-1", "+5m", "10:30")]


def check_hostile(name):
    server = Server(name)
    server.wait()
    for query in HOSTILE:
        got, headers, body = server.ask("/api/" + query)
        check(400 <= got < 500, "%s: %d" % (query[:80], got))
        check_headers(headers)
        check(list(common.parse_json(body.decode("utf-8"))) == ["error", "parameter"], query[:80])
    # Odd, and no fault.
    for query in ("data?ids=0&from=1601-01-01&to=1601-01-02", "data?ids=0&from=9999-12-31", "data?ids=0&from=1600-01-01",
                  "select?q=%2A%2A%2A%2A", "select?q=" + "%2Aa" * 80, "tree?q=%FF%FE", "tree?machine=",
                  "tree?q=" + "a+" * 100,
                  "select?q=%3Cscript%3E", "marks", "tree?machine=%00", "tree?offset=4294967295"):
        got, _, body = server.ask("/api/" + query)
        check(got == 200 and common.parse_json(body.decode("utf-8")), "%s: %d" % (query, got))
    server.close()


NAVIGATION = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Accept": "text/html,*/*"}


def check_sites(name):
    """What another page in the browser asks for is refused, whatever it brings. W3C's Fetch Metadata has the values."""
    server = Server(name)
    server.wait()
    for path in ("/", "/main.js", "/api/log", "/api/events", "/api/export?ids=0&format=csv"):
        for site in ("same-site", "cross-site", "", "elsewhere"):
            for mode, dest in (("no-cors", "empty"), ("cors", "empty"), ("navigate", "iframe"), ("no-cors", "script")):
                server.refuses(path, 403, headers={"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest})
        for site in ("same-origin", "none"):
            if path != "/api/events":
                check(server.ask(path, headers={"Sec-Fetch-Site": site})[0] == 200, "%s from %s" % (path, site))
    # A file or a mail may lead the browser to the page, which has no data; a page on another port may not.
    for site, path, status in (("cross-site", "/", 200), ("same-site", "/", 403), ("cross-site", "/api/log", 403),
                               ("cross-site", "/api/export?ids=0&format=csv", 403)):
        got, headers, body = server.ask(path, headers={"Sec-Fetch-Site": site, **NAVIGATION})
        check(got == status, "leading from %s to %s: %d" % (site, path, got))
        if path == "/":
            check("text/html" in headers["Content-Type"], "%s: not a page" % site)
        check(server.secret.encode() not in body, "the page has the secret")
    server.close()


def check_keys(name):
    for address in ([], ["--listen", "127.0.0.1"], ["--listen", "0.0.0.0", "--insecure"]):
        check_key_at(name, address)
    refused = subprocess.run([common.binary(), "view", "--no-browser", "--listen", "0.0.0.0", name],
                             capture_output=True, check=False)
    check(refused.returncode == 2 and b"--insecure" in refused.stderr, "secrets go over plain http")
    check_race(name)


def check_key_at(name, address):
    """The key of the address gives the secret once. Without the secret there are the files of the page, and no data."""
    server = Server(name, *address)
    secret = server.secret
    check(re.fullmatch("[0-9a-f]{32}", server.key) is not None, "key: " + server.url)
    check(re.fullmatch("[0-9a-f]{32}", secret) is not None and secret != server.key, "secret")
    server.secret = None
    for key in (server.key, secret, "", "0" * 32, server.key[:-1], server.key + "0"):
        check(server.enter(key) is None, "key %r is taken" % key)
    for headers in ({}, {"Authorization": "Bearer " + server.key}, {"Authorization": "Basic " + secret},
                    {"Authorization": secret}, {"Authorization": "Bearer " + "0" * 32},
                    {"Authorization": "Bearer " + secret[:-1]}, {"Authorization": "Bearer " + secret + " "},
                    {"Cookie": "pmon=%s; token=%s; pmon-%s=%s" % (secret, secret, secret[:8], secret)}):
        for path in ("/api/log", "/api/events", "/api/nothing", "/api/log?token=" + secret, "/api/log?key=" + server.key):
            server.refuses(path, 403, headers=headers)
    for path in ("/", "/?key=" + server.key, "/main.js"):
        status, headers, body = server.ask(path)
        check(status == 200 and headers["Set-Cookie"] is None, "%s: %d" % (path, status))
        check(secret.encode() not in body and server.key.encode() not in body, path + " has a secret")
    server.refuses("/nothing", 404)
    server.refuses("/main.js?key=0", 400)
    check(server.ask("/api/log", headers={"Authorization": "bearer  " + secret})[0] == 200, "the secret")
    server.close()


def check_race(name):
    """Of many that have the key at the same time, one gets the secret."""
    process = subprocess.Popen([common.binary(), "view", "--no-browser", name], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    url = urllib.parse.urlsplit(process.stdout.readline().decode().strip())
    ready = threading.Barrier(16)
    answers = []

    def enter():
        with socket.create_connection((url.hostname, url.port), timeout=300) as s:
            ready.wait()
            s.sendall(b"POST /api/enter HTTP/1.1\r\nHost: %s\r\nContent-Length: 0\r\nAuthorization: Bearer %s\r\n\r\n" %
                      (url.netloc.encode(), url.query.split("=")[1].encode()))
            answers.append(s.recv(12)[9:12])

    threads = [threading.Thread(target=enter) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(sorted(answers) == [b"200"] + [b"403"] * 15, "the same key at once: %s" % answers)
    process.terminate()
    process.wait()
    process.stdout.close()


def check_programs(name):
    """Programs have the token of a file. It is not what the page has, so it stays out of the browser."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "token")
        with open(path, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write("0123456789abcdef\n")
        server = Server("--token-file", path, name)
        check(server.secret != "0123456789abcdef", "the page has the token")
        server.wait()
        server.secret = "0123456789abcdef"
        server.wait()
        check(server.enter("0123456789abcdef") is None, "the token as a key")
        server.secret = "0123456789abcdeg"
        server.refuses("/api/log", 403)
        server.close()
        os.chmod(path, 0o644)
        refused = subprocess.run([common.binary(), "view", "--no-browser", "--token-file", path, name],
                                 capture_output=True, check=False)
        check(refused.returncode == 1 and b"other users can read" in refused.stderr, "%s" % refused.stderr)


def check_terminal(name):
    """Enter prints another address, and the one before is not valid any more."""
    terminal, end = pty.openpty()
    process = subprocess.Popen([common.binary(), "view", "--no-browser", name], stdin=end, stdout=end,
                               stderr=subprocess.DEVNULL, start_new_session=True,
                               preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
    os.close(end)
    with open(terminal, "r+b", buffering=0) as keys:
        lines = open(os.dup(terminal), "rb")
        urls = [next_url(lines)]
        check(b"Press Enter" in lines.readline(), "the terminal does not say how")
        server = Server.__new__(Server)
        for _ in range(2):
            keys.write(b"\n")
            urls.append(next_url(lines))
        check(len(set(urls)) == 3, "%s" % urls)
        server.secret = None
        for url in urls:
            parts = urllib.parse.urlsplit(url)
            server.host, server.port = parts.hostname, parts.port
            secret = server.enter(parts.query.split("=")[1])
            check((secret is not None) == (url == urls[-1]), "%s of %s" % (url, urls))
        keys.write(b"\x03")
        check(process.wait(timeout=300) == 0, "Ctrl-C")
        lines.close()


def next_url(lines):
    while True:
        line = lines.readline().strip()
        if line.startswith(b"http"):
            return line.decode()


def main():
    logs = need_server()
    check_doors(logs[0])
    check_crowd(logs[0])
    check_hostile(logs[0])
    check_sites(logs[0])
    check_keys(logs[0])
    check_programs(logs[0])
    check_terminal(logs[0])
    finish("who may ask view")


main()
