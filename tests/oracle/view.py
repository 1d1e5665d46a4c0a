"""A pmon view that is running, and what the tests of it count."""

import http.client
import signal
import subprocess
import sys
import time
import urllib.parse

import common

checks = 0
failures = 0


def check(good, what):
    global checks, failures
    checks += 1
    if not good:
        failures += 1
        if failures <= common.SHOWN:
            print("%d: %s" % (sys._getframe(1).f_lineno, what))


class Server:
    """A pmon view that is running."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([common.binary(), "view", "--no-browser", *arguments],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.url = self.process.stdout.readline().decode().strip()
        if not self.url:
            if self.process.wait() == 1:
                common.skip("pmon view does not run here")
            sys.exit("pmon view: exit status %d" % self.process.returncode)
        parts = urllib.parse.urlsplit(self.url)
        self.host, self.port = parts.hostname, parts.port
        self.key = urllib.parse.parse_qs(parts.query)["key"][0]
        self.secret = None
        self.secret = self.enter(self.key)

    def enter(self, key, **how):
        """The secret that the server gives for a key, once; None if it does not."""
        headers = {"Content-Length": "0", "Authorization": "Bearer " + key}
        status, _, body = self.ask("/api/enter", method="POST", headers=headers, **how)
        return common.parse_json(body.decode("utf-8"))["secret"] if status == 200 else None

    def ask(self, path, method="GET", headers=None, body=None, host=None):
        """(status, headers, body)"""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=300)
        everything = {"Host": host or "%s:%d" % (self.host, self.port)}
        if self.secret:
            everything["Authorization"] = "Bearer " + self.secret
        everything.update(headers or {})
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in everything.items():
            connection.putheader(name, value)
        connection.endheaders()
        if body:
            connection.send(body)
        answer = connection.getresponse()
        result = answer.status, answer.headers, answer.read()
        connection.close()
        return result

    def get(self, name, **params):
        status, headers, body = self.ask("/api/%s?%s" % (name, urllib.parse.urlencode(params)))
        if status != 200:
            raise AssertionError("/api/%s %s: %d %s" % (name, params, status, body[:200]))
        check(headers["Content-Type"] == "application/json", "content type")
        return common.parse_json(body.decode("utf-8"))

    def refuses(self, path, status, **how):
        got, headers, body = self.ask(path, **how)
        check(got == status, "%s: %d, not %d" % (path[:100], got, status))
        check_headers(headers)
        if how.get("method") != "HEAD":
            answer = common.parse_json(body.decode("utf-8"))
            check(list(answer) == ["error", "parameter"] and answer["error"], "%s" % body[:200])
        return body

    def wait(self):
        """Until everything is loaded."""
        for _ in range(3000):
            sets = self.get("log")["sets"]
            if all(one["state"] != "loading" for one in sets):
                return sets
            time.sleep(0.1)
        raise AssertionError("still loading after five minutes")

    def close(self):
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=300)
        check(code in (0, 3), "exit status %d" % code)
        self.process.stdout.close()


def check_headers(headers):
    policy = headers["Content-Security-Policy"] or ""
    check("default-src 'none'" in policy and "script-src 'self'" in policy, "policy: " + policy)
    check("unsafe" not in policy, "policy: " + policy)
    check(headers["Cache-Control"] == "no-store", "may be kept")
    check(headers["X-Content-Type-Options"] == "nosniff", "may be sniffed")
    check(headers["X-Frame-Options"] == "DENY", "may be framed")
    check(headers["Referrer-Policy"] == "no-referrer", "tells its address")


def all_series(server, **params):
    found = []
    while True:
        page = server.get("select", offset=len(found), limit=2000, **params)
        found += page["series"]
        if len(found) >= page["total"] or not page["series"]:
            return found


def need_server():
    """Skip the test where this build has no server. Returns the names of the logs."""
    probe = subprocess.run([common.binary(), "view", "--no-browser", "--listen", "example.com",
                            common.log_files()[0][1]], stderr=subprocess.PIPE, check=False)
    if b"libmicrohttpd" in probe.stderr:
        common.skip("this build has no server")
    check(probe.returncode == 2, "--listen example.com")
    return [name for _, name, _ in common.log_files()]


def finish(what):
    print("%s: %d checks, %d failed" % (what, checks, failures))
    sys.exit(failures > 0)
