"""What the tests of pmon serve share: the server, and the text that it answers with."""

import re
import signal
import ssl
import subprocess
import sys
import urllib.error
import urllib.request

from promlib import common

OPENMETRICS = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"
LINE = re.compile(r'(\S+?)(?:_total)?\{(.*)\} (\S+)$')
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')

faults = []


def check(what, good):
    if not good:
        faults.append(what)
        print("FAILED: " + what)


class Exporter:
    """pmon serve --metrics. tls: the context to ask with."""

    command = ("serve", "--metrics")
    open_path = "/healthz"      # that needs no token

    def __init__(self, *arguments, tls=None):
        self.process = subprocess.Popen([common.binary(), *self.command, *arguments],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.tls = tls
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            sys.exit("pmon %s: " % self.command[0] + self.process.stderr.read())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        out, err = self.process.communicate(timeout=300)
        check("pmon %s ends well: %d %s %s" % (self.command[0], self.process.returncode, out, err), self.process.returncode == 0)

    def ask(self, path="", **headers):
        """path stands in place of "metrics" if it begins with a slash."""
        url = self.url.rsplit("/", 1)[0] + path if path.startswith("/") else self.url + path
        return urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=300, context=self.tls)

    def get(self, accept="", path="", **headers):
        with self.ask(path, Accept=accept, **headers) as answer:
            return answer.headers["Content-Type"], answer.read().decode()

    def status(self, path="", **headers):
        """Of HTTP; the exception of a connection that fails."""
        try:
            with self.ask(path, **headers) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code
        except urllib.error.URLError as error:
            return error.reason
        except (OSError, ssl.SSLError) as error:
            return error


def numbers(text):
    """{(name, labels): number} of counters"""
    return {(m.group(1), m.group(2)): float(m.group(3)) for m in map(LINE.match, text.splitlines())
            if m and not m.group(1).startswith("pmon_build")}


def shown_counters(text):
    """What is not of the server itself."""
    return [line for line in text.splitlines() if "pmon_build" not in line and "pmon_serve" not in line]


def promtool_lint(text):
    """What promtool says of the text, units aside: families have those that Windows counts in."""
    done = subprocess.run(["promtool", "check", "metrics"], input=text, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    return [line for line in done.stdout.splitlines() if "use base unit" not in line]
