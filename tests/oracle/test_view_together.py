#!/usr/bin/env python3
"""Many requests to pmon view at the same time, while logs are sent to it and freed: each answer is the one that comes
alone. Built with PMON_SANITIZE=thread, this finds data races of the server."""

import os
import threading
import urllib.parse

import common
from view import Server, all_series, check, finish, need_server

THREADS = 8
ROUNDS = 6


def requests_of(server):
    ids = ",".join(str(one["id"]) for one in all_series(server)[:40])
    return ["log", "tree", "tree?q=disk", "select?q=time&limit=20", "first", "series?ids=" + ids,
            "data?columns=300&ids=" + ids, "marks?ids=" + ids, "findings", "top?q=time", "explain?id=" + ids.split(",")[0],
            "export?format=csv&ids=" + ids]


def body_of(server, request):
    status, _, body = server.ask("/api/" + request)
    if request != "log":
        return status, body
    # The second log comes and goes.
    return status, common.parse_json(body.decode("utf-8"))["sets"][0]


def send_and_free(server, name):
    """A log becomes the second set, and is freed. Another one may be under way."""
    with open(name, "rb") as file:
        log = file.read()
    headers = {"Origin": "http://%s:%d" % (server.host, server.port)}
    for _ in range(ROUNDS):
        path = "/api/compare?name=" + urllib.parse.quote(os.path.basename(name))
        status = server.ask(path, method="POST", headers={"Content-Length": str(len(log)), **headers}, body=log)[0]
        check(status in (200, 409, 422), "sent: %d" % status)
        # 404: the other sender has freed it.
        check(server.ask("/api/data?set=1&ids=0")[0] in (200, 404), "data of the second set")
        check(server.ask("/api/compare", method="DELETE", headers=headers)[0] == 200, "freed")


def check_answers(name, other):
    server = Server(name)
    server.wait()
    requests = requests_of(server)
    alone = {request: body_of(server, request) for request in requests}

    def ask(first):
        for i in range(ROUNDS * len(requests)):
            request = requests[(first + i) % len(requests)]
            check(body_of(server, request) == alone[request], "together: " + request)

    run([threading.Thread(target=ask, args=(i,)) for i in range(THREADS)] +
        [threading.Thread(target=send_and_free, args=(server, other)) for _ in range(2)])
    server.close()


def check_loading(name):
    """Requests while a log is being read, and while a machine is sampled."""
    for arguments in ([name], ["-i", "50ms", "-c", r"\Processor(*)\*"]):
        server = Server(*arguments)

        def ask(first):
            requests = ["log", "tree", "first", "select?q=time", "findings", "top?q=time", "data?ids=0", "marks?ids=0"]
            for i in range(ROUNDS * len(requests)):
                status = body_of(server, requests[(first + i) % len(requests)])[0]
                check(status in (200, 404), "%s: %d" % (arguments, status))

        run([threading.Thread(target=ask, args=(i,)) for i in range(THREADS)])
        server.close()


def run(threads):
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main():
    logs = need_server()
    check_answers(logs[0], logs[1])
    check_loading(logs[0])
    finish("requests to view at the same time")


main()
