#!/usr/bin/env python3
"""pmon serve --metrics and pmon view by TLS, with certificates that openssl makes here: which clients are answered, a
Prometheus that scrapes, and files that are not what they should be."""

import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request
import warnings

import promlib
from promlib import common
from servelib import Exporter, check, faults


class Viewer(Exporter):
    """pmon view. Its files need no secret."""

    command = ("view", "--no-browser")
    open_path = "/main.js"


BOTH = (Exporter, Viewer)


def openssl(folder, *arguments):
    done = subprocess.run(["openssl", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode != 0:
        sys.exit("openssl %s: %s" % (" ".join(arguments), done.stdout))


def make_ca(folder, name):
    openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=" + name, "-keyout", name + ".key", "-out", name + ".pem")


def make_cert(folder, name, ca, extensions, days="2"):
    with open(os.path.join(folder, name + ".ext"), "w") as file:
        file.write(extensions)
    openssl(folder, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=" + name,
            "-keyout", name + ".key", "-out", name + ".csr")
    openssl(folder, "x509", "-req", "-in", name + ".csr", "-CA", ca + ".pem", "-CAkey", ca + ".key", "-CAcreateserial",
            "-days", days, "-extfile", name + ".ext", "-out", name + ".pem")


def make_all(folder):
    for ca in ("ca", "other"):
        make_ca(folder, ca)
    client = "extendedKeyUsage=clientAuth\n"
    make_cert(folder, "server", "ca", "subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth\n")
    make_cert(folder, "client", "ca", client)
    make_cert(folder, "stranger", "other", client)
    make_cert(folder, "late", "ca", client, days="-1")
    make_cert(folder, "misused", "ca", "extendedKeyUsage=serverAuth\n")
    make_cert(folder, "plain", "ca", "basicConstraints=CA:FALSE\n")


def context(folder, name=None, ca="ca", version=None):
    found = ssl.create_default_context(cafile=os.path.join(folder, ca + ".pem"))
    if name:
        found.load_cert_chain(os.path.join(folder, name + ".pem"), os.path.join(folder, name + ".key"))
    if version:
        found.minimum_version = found.maximum_version = version
    return found


def options(folder, *more):
    return ["--tls-cert", os.path.join(folder, "server.pem"), "--tls-key", os.path.join(folder, "server.key"),
            "-c", r"\Memory\Available Bytes", *more]


def is_refused(what):
    """The connection fails: nothing of HTTP comes."""
    return isinstance(what, OSError)


def server_certificate(folder, kind):
    with kind(*options(folder), tls=context(folder)) as exporter:
        check("the address says https", exporter.url.startswith("https://127.0.0.1:"))
        check("answered", exporter.status() == 200 and exporter.status(exporter.open_path) == 200)
        exporter.tls = context(folder, ca="other")
        check("a client that does not trust it", is_refused(exporter.status()))
        for version, good in ((ssl.TLSVersion.TLSv1_3, True), (ssl.TLSVersion.TLSv1_2, True),
                              (ssl.TLSVersion.TLSv1_1, False)):
            exporter.tls = context(folder, version=version)
            exporter.tls.set_ciphers("ALL:@SECLEVEL=0")
            check("%s" % version, (exporter.status() == 200) == good)
        plain(exporter)
        exporter.tls = context(folder)
        check("still there", exporter.status() == 200)


def plain(exporter):
    """http to the port of https gets no answer of HTTP with counters."""
    host, port = exporter.url.split("/")[2].split(":")
    with socket.create_connection((host, int(port)), timeout=300) as connection:
        connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: %s:%s\r\n\r\n" % (host.encode(), port.encode()))
        got = b""
        try:
            while chunk := connection.recv(4096):
                got += chunk
        except OSError:
            pass
    check("plain http: %r" % got, b"HTTP" not in got and b"pmon" not in got)


def client_certificates(folder, kind):
    more = ["--tls-client-ca", os.path.join(folder, "ca.pem")]
    with kind(*options(folder, *more), tls=context(folder, "client")) as exporter:
        for version in (ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.TLSv1_2):
            for name, good in (("client", True), ("plain", True), (None, False), ("stranger", False), ("late", False),
                               ("misused", False)):
                exporter.tls = context(folder, name, version=version)
                for path in ("", kind.open_path):
                    status = exporter.status(path)
                    check("%s by %s gets %s: %s" % (name, version, path, status),
                          status == 200 if good else is_refused(status))
        plain(exporter)
        if kind is Exporter and shutil.which("prometheus"):
            scraped(folder, exporter)
    token = os.path.join(folder, "token")
    with open(token, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write("0123456789abcdef\n")
    path, refused = ("", 401) if kind is Exporter else ("/api/log", 403)
    with kind(*options(folder, *more, "--token-file", token), tls=context(folder, "client")) as exporter:
        check("a token as well", exporter.status(path) == refused and
              exporter.status(path, Authorization="Bearer 0123456789abcdef") == 200)
    os.remove(token)


def other_machines(folder):
    """What other machines reach needs a certificate or --insecure. A certificate alone lets nobody see data."""
    with Viewer(*options(folder, "--listen", "0.0.0.0"), tls=context(folder)) as viewer:
        check("the page", viewer.url.startswith("https://") and viewer.status() == 200)
        check("no data", viewer.status("/api/log") == 403)
        key = viewer.url.split("=")[1]
        entered = urllib.request.Request(viewer.url.split("?")[0] + "api/enter", method="POST",
                                         headers={"Authorization": "Bearer " + key})
        with urllib.request.urlopen(entered, timeout=300, context=viewer.tls) as answer:
            secret = json.load(answer)["secret"]
        check("with the secret", viewer.status("/api/log", Authorization="Bearer " + secret) == 200)


def scraped(folder, exporter):
    config = """
scrape_configs:
- job_name: pmon
  scheme: https
  scrape_interval: 1s
  scrape_timeout: 1s
  tls_config: {ca_file: %(f)s/ca.pem, cert_file: %(f)s/client.pem, key_file: %(f)s/client.key}
  static_configs: [{targets: ['%(target)s']}]
""" % {"f": folder, "target": exporter.url.split("/")[2]}
    with promlib.Prometheus(os.path.join(folder, "prometheus"), config=config) as server:
        deadline = time.monotonic() + 120
        found = {}
        while time.monotonic() < deadline and not found:
            time.sleep(0.3)
            found = server.query("pmon_memory_available_bytes > 0 and on (instance) up == 1", time.time())
        check("Prometheus scrapes with a certificate", len(found) == 1)


def bad_files(folder, kind):
    def refused(status, text, *words):
        done = subprocess.run([common.binary(), *kind.command, *words], cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        check("%s: %d %s" % (words, done.returncode, done.stderr), done.returncode == status and text in done.stderr)

    os.chmod(os.path.join(folder, "server.key"), 0o644)
    both = ["--tls-cert", "server.pem", "--tls-key", "server.key"]
    refused(1, "server.key: other users", *both)
    os.chmod(os.path.join(folder, "server.key"), 0o600)
    refused(2, "TLS needs both", *both[:2])
    refused(2, "TLS needs both", "--tls-client-ca", "ca.pem")
    refused(2, "server.pem and client.key are not a certificate and its key", *both[:3], "client.key")
    refused(2, "server.key and server.key are not a certificate", "--tls-cert", "server.key", *both[2:])
    refused(2, "server.key has no certificate in PEM", *both, "--tls-client-ca", "server.key")
    refused(1, "missing.pem: No such file", *both, "--tls-client-ca", "missing.pem")
    refused(2, "--tls-cert", "--listen", "192.0.2.7")


def loaded_when_wanted():
    """GnuTLS costs tens of libraries: only a server loads it."""
    linked = subprocess.run(["ldd", common.binary()], stdout=subprocess.PIPE, text=True, check=False).stdout
    check("libraries: " + linked, "gnutls" not in linked and "microhttpd" not in linked)


def main():
    warnings.simplefilter("ignore", DeprecationWarning)     # of TLS 1.1, which is to be refused
    if not shutil.which("openssl"):
        common.skip("no openssl")
    with tempfile.TemporaryDirectory() as folder:
        make_all(folder)
        done = subprocess.run([common.binary(), "serve", "--metrics", *options(folder), "--port", "x"],
                              stderr=subprocess.PIPE, text=True, check=False)
        if "built without" in done.stderr:
            common.skip(done.stderr.strip())
        for kind in BOTH:
            bad_files(folder, kind)
            server_certificate(folder, kind)
            client_certificates(folder, kind)
        other_machines(folder)
    loaded_when_wanted()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
