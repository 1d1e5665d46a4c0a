#!/usr/bin/env python3
"""Nobody gets into pmon view who should not."""

import re
import socket
import subprocess
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
    own = b"Host: %s:%d\r\nCookie: %s\r\n" % (server.host.encode(), server.port, server.cookie.encode())
    for twice in (own + b"Host: evil.example\r\n", b"Host: evil.example\r\n" + own, own + own.split(b"\n")[0] + b"\n",
                  own + b"hOsT: \r\n", own + b"Content-Length: 0\r\nContent-Length: 0\r\n",
                  own + b"Content-Length: 0\r\ncontent-length: 5\r\n"):
        check(first_line(server, twice) == b"HTTP/1.1 400 Bad Request", "%r" % twice)
    check(first_line(server, own + b"Content-Length: 0\r\n") == b"HTTP/1.1 200 OK", "each once")


def first_line(server, headers):
    with socket.create_connection((server.host, server.port), timeout=300) as s:
        s.sendall(b"GET /api/log HTTP/1.1\r\n" + headers + b"\r\n")
        return s.makefile("rb").readline().rstrip()


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
        s.sendall(b"GET /api/events?token=%s HTTP/1.1\r\nHost: %s:%d\r\n\r\n" %
                  (server.token.encode(), server.host.encode(), server.port))
        slow.append(s)
    return slow


def check_slow(server):
    """Clients that send or read slowly keep nobody waiting."""
    slow = []

    def ask():
        slow.extend(slow_clients(server))
        check(server.ask("/api/log")[0] == 200, "slow clients")

    check(within(5, ask), "slow clients keep others waiting")
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

    check(within(5, ask), "500 idle connections keep others waiting")
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
    check(sorted(took)[25] < 5, "200 half-open connections keep others waiting: %s" % took)
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
    "tree?q=" + "a+" * 100, "tree?q=%5C", "select?pattern=", "select?pattern=%5C(",
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
                  "select?q=%3Cscript%3E", "marks", "tree?machine=%00", "tree?offset=4294967295"):
        got, _, body = server.ask("/api/" + query)
        check(got == 200 and common.parse_json(body.decode("utf-8")), "%s: %d" % (query, got))
    server.close()


def check_token(name):
    for address in ([], ["--listen", "127.0.0.1"], ["--listen", "0.0.0.0", "--insecure"]):
        check_token_at(name, address)
    refused = subprocess.run([common.binary(), "view", "--no-browser", "--listen", "0.0.0.0", name],
                             capture_output=True, check=False)
    check(refused.returncode == 2 and b"--insecure" in refused.stderr, "the token goes over plain http")


def check_token_at(name, address):
    server = Server(name, *address)
    token = server.token
    check(re.fullmatch("[0-9a-f]{32}", token) is not None, "token: " + server.url)
    if server.host == "0.0.0.0":
        server.host = "127.0.0.1"
    server.cookie = None
    for path in ("/", "/api/log", "/main.js", "/nothing"):
        server.refuses(path, 403)
        server.refuses(path + "?token=", 403)
        server.refuses(path + "?token=" + "0" * 32, 403)
        server.refuses(path + "?token=" + token[:-1], 403)
        server.refuses(path + "?token=" + token + "%00", 403)
    # A person gets a page that explains it, a program JSON.
    status, headers, body = server.ask("/", headers={"Accept": "text/html,*/*"})
    check(status == 403 and "text/html" in headers["Content-Type"] and b"pmon view" in body, "page")
    check(token.encode() not in body, "the page of a missing token has it")
    status, headers, _ = server.ask("/?token=" + token)
    check(status == 200, "with the token")
    cookie = headers["Set-Cookie"] or ""
    check("HttpOnly" in cookie and "SameSite=Strict" in cookie, "cookie: " + cookie)
    check(server.ask("/api/log", headers={"Cookie": cookie.split(";")[0]})[0] == 200, "cookie")
    server.refuses("/api/log", 403, headers={"Cookie": cookie.split("=")[0] + "=" + "0" * 32})
    server.close()


def main():
    logs = need_server()
    check_doors(logs[0])
    check_crowd(logs[0])
    check_hostile(logs[0])
    check_token(logs[0])
    finish("who may ask view")


main()
