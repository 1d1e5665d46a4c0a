#!/usr/bin/env python3
"""Logs that are sent to pmon view, to be compared: their numbers, and what is left of them."""

import os
import socket
import time
import urllib.parse

import common
from view import Server, all_series, check, check_headers, finish, need_server


def send(server, body, name="sent.blg", **how):
    """(status, answer) of a log that is sent as the page does it"""
    headers = {"Origin": "http://%s:%d" % (server.host, server.port), "Content-Length": str(len(body))}
    headers.update(how.pop("headers", {}))
    status, got, text = server.ask("/api/compare?name=" + urllib.parse.quote(name), method="POST",
                                   headers={key: value for key, value in headers.items() if value is not None},
                                   body=body, **how)
    check_headers(got)
    return status, common.parse_json(text.decode("utf-8"))


def remove(server):
    return server.ask("/api/compare", method="DELETE",
                      headers={"Origin": "http://%s:%d" % (server.host, server.port)})


def read_bytes(name):
    with open(name, "rb") as file:
        return file.read()


def listed(folder, read):
    """What read(path) says of each entry that is still there when it is asked: threads and processes end."""
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        try:
            yield read(os.path.join(folder, name))
        except OSError:
            continue


def children(thread):
    with open(os.path.join(thread, "children"), encoding="ascii") as file:
        return [int(process) for process in file.read().split()]


def descriptors(server):
    """What the server and the processes that it has started hold open and has no name any more."""
    found = []
    todo = [server.process.pid]
    while todo:
        process = todo.pop()
        for started in listed("/proc/%d/task" % process, children):
            todo += started
        found += [path for path in listed("/proc/%d/fd" % process, os.readlink) if path.endswith(" (deleted)")]
    return found


def holds(server, n):
    """Whether so many such files are open, once processes that have read theirs are gone."""
    for _ in range(300):
        if len(descriptors(server)) == n:
            return True
        time.sleep(0.1)
    return False


def comparable(answer):
    return [dict(one, set=0, opened=0) for one in answer["sets"]]


def check_sent(name, other):
    """A log that is sent is what --compare shows, replaces the one before, and leaves nothing."""
    compared = Server(name, "--compare", other)
    expected = comparable({"sets": compared.wait()})
    compared.close()
    server = Server(name)
    server.wait()
    check(server.get("log")["takes_bytes"] == 4 << 30, "the largest size in the answer")
    server.refuses("/api/data?set=1&ids=0", 404)
    before = descriptors(server)
    for again in range(3):
        status, answer = send(server, read_bytes(other), os.path.basename(other))
        check(status == 200 and len(answer["sets"]) == 2, "sent: %d %s" % (status, answer))
        check(comparable({"sets": server.wait()}) == expected, "what is shown of a log that was sent")
        opened = server.get("log")["sets"][1]["opened"]
        check(opened == 3 + again, "opened: %d" % opened)
        check(holds(server, len(before) + 1), "files: %s" % descriptors(server))
    ids = ",".join(str(one["id"]) for one in all_series(server)[:50])
    check(any(one is not None for one in server.get("matching", ids=ids, to_set=1)["matching"]), "matching")
    # What cannot be read leaves the comparison as it was.
    for body, words in ((b"", "empty"), (b"GIF89a" + bytes(2000), "sent.blg: "), (b"\x7fELF" + bytes(70000), "sent.blg: "),
                        (b"<html><script>alert(1)</script>", "sent.blg: ")):
        status, answer = send(server, body)
        check(status == 422 and words in answer["error"] and "standard input" not in answer["error"],
              "%r: %d %s" % (body[:20], status, answer))
    check(comparable({"sets": server.wait()}) == expected, "after files that are not logs")
    check(remove(server)[0] == 200 and len(server.get("log")["sets"]) == 1, "removed")
    check(holds(server, len(before)), "files of a log that was removed: %s" % descriptors(server))
    server.refuses("/api/data?set=1&ids=0", 404)
    server.close()


def check_cut(name, other):
    """A damaged log is shown with its damage, and no log ends the server."""
    whole = read_bytes(other)
    server = Server(name)
    server.wait()
    for part in (0.95, 0.5, 0.1):
        status, answer = send(server, whole[:int(len(whole) * part)])
        if status == 200:
            sets = server.wait()
            check(sets[1]["losses"] > 0 or sets[1]["state"] == "failed", "%s: no loss" % part)
            damage = server.get("marks", set=1)
            check(damage["damage_count"] > 0 or sets[1]["state"] == "failed", "%s: no mark" % part)
        else:
            check(status == 422, "%s: %d %s" % (part, status, answer))
    folder = os.path.join(os.path.dirname(common.data_folder("blg")), "..", "hostile")
    for one in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if one.endswith(".md"):
            continue
        status, answer = send(server, read_bytes(os.path.join(folder, one)), one)
        check(status in (200, 422), "%s: %d %s" % (one, status, answer))
        if status == 200:
            server.wait()
            server.get("findings", set=1)
    check(server.get("log")["sets"][0]["state"] == "complete", "the first log")
    # A process that hangs or crashes while it reads: the log before is shown, and the next one is taken.
    check(send(server, whole)[0] == 200, "after hostile logs")
    server.close()


def check_sending(name, other):
    """Who may send a log, and how much of it."""
    whole = read_bytes(other)
    server = Server(name)
    server.wait()
    own = "%s:%d" % (server.host, server.port)
    for origin in (None, "http://evil.example", "null", "https://" + own, "http://127.0.0.1:1", "file://", ""):
        status, answer = send(server, b"abc", headers={"Origin": origin})
        check(status == 403 and "Origin" in answer["error"], "origin %s: %d" % (origin, status))
        status = server.ask("/api/compare", method="DELETE", headers={"Origin": origin} if origin is not None else {})[0]
        check(status == 403, "DELETE from %s: %d" % (origin, status))
    check(send(server, b"abc", host="evil.example")[0] == 403, "another host")
    for site in ("same-site", "cross-site"):
        check(send(server, b"abc", headers={"Sec-Fetch-Site": site})[0] == 403, "a page of " + site)
    secret, server.secret = server.secret, None
    check(send(server, b"abc")[0] == 403 and remove(server)[0] == 403, "without the secret")
    check(send(server, b"abc", headers={"Cookie": "pmon=" + secret})[0] == 403, "with a cookie")
    server.secret = secret[:-1] + "x"
    check(send(server, b"abc")[0] == 403, "with a wrong secret")
    server.secret = secret
    for method in ("GET", "HEAD"):
        check(server.ask("/api/compare", method=method)[0] == 404, method)
    for method in ("PUT", "OPTIONS", "PATCH"):
        server.refuses("/api/compare", 405, method=method)
    for path in ("/", "/main.js", "/api/compare/", "/api/log"):
        server.refuses(path, 405, method="POST", headers={"Origin": "http://" + own, "Content-Length": "0"})
        server.refuses(path, 405, method="DELETE", headers={"Origin": "http://" + own})
    check(send(server, b"", headers={"Content-Length": str((4 << 30) + 1)})[0] == 413, "too large")
    check(send(server, b"", headers={"Content-Length": None, "Transfer-Encoding": "chunked"})[0] in (400, 411), "chunks")
    for length in ("-1", "x", "99999999999999999999999", "0x10"):
        status = server.ask("/api/compare?name=a", method="POST",
                            headers={"Origin": "http://" + own, "Content-Length": length})[0]
        check(status in (400, 411, 413), "length %s: %d" % (length, status))  # the server's library refuses some
    check(send(server, b"abc", name="")[0] == 400 and send(server, b"abc", name="a" * 256)[0] == 400, "names")
    check(len(server.get("log")["sets"]) == 1, "something was taken")
    # Two at once: one is kept. One that is cut off makes room.
    before = len(descriptors(server))
    first = begin_sending(server, own, len(whole))
    first.sendall(whole[:1000])
    check(holds(server, before + 1), "the file of a log that is sent")
    status, answer = send(server, whole)
    check(status == 409 and "another log" in answer["error"], "two at once: %d %s" % (status, answer))
    first.close()
    check(holds(server, before), "the file of a log that was cut off")
    check(send(server, whole)[0] == 200, "after one that was cut off")
    second = begin_sending(server, own, len(whole))
    second.sendall(whole[:1000])
    check(holds(server, before + 2), "the files of a log and of one that is sent")
    server.close()  # while one is sent
    second.close()


def begin_sending(server, own, length):
    s = socket.create_connection((server.host, server.port), timeout=300)
    s.sendall(("POST /api/compare?name=a HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\nAuthorization: Bearer %s\r\n"
               "Content-Length: %d\r\n\r\n" % (own, own, server.secret, length)).encode())
    return s


def check_not_sent(name):
    """Where other machines may ask, no log is taken."""
    server = Server(name, "--listen", "0.0.0.0", "--insecure")
    server.host = "127.0.0.1"
    server.wait()
    check(server.get("log")["takes_bytes"] is None, "no size in the answer")
    status, answer = send(server, b"abc")
    check(status == 403 and "--compare" in answer["error"], "%d %s" % (status, answer))
    server.close()


def main():
    logs = need_server()
    check_sent(logs[1], logs[2])
    check_cut(logs[1], logs[2])
    check_sending(logs[1], logs[2])
    check_not_sent(logs[1])
    finish("logs that are sent to view")


main()
