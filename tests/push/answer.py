#!/usr/bin/env python3
# answer.py - a server that gives every request one answer: answer.py PORT STATUS [HEADER: VALUE]...
# SPDX-License-Identifier: MIT

import http.server
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(int(sys.argv[2]))
        for header in sys.argv[3:]:
            self.send_header(*header.split(": "))
        self.send_header("Content-Length", "8")
        self.end_headers()
        self.wfile.write(b"not now\n")

    do_GET = do_POST

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
