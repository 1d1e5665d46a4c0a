#!/usr/bin/env python3
"""A client of the Model Context Protocol, written from its specification, that talks to pmon mcp.

    mcp_client.py PMON FOLDER LOG

FOLDER holds the logs, LOG is the name of the longest of them. Prints what is wrong; the exit code says whether
something was.
"""

import base64
import json
import os
import select
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import time

PMON, FOLDER, LOG = sys.argv[1:4]
problems = 0


def check(good, what):
    global problems
    if not good:
        problems += 1
        print(what)


def same(what, found, wanted):
    check(found == wanted, f"{what}: {str(found)[:300]!r}, not {str(wanted)[:300]!r}")


def parse(text):
    """Numbers as the texts that they are: no digit may get lost."""
    return json.loads(text, parse_float=str, parse_int=str)


class Server:
    def __init__(self, *operands):
        self.process = subprocess.Popen(
            [PMON, "mcp", *operands], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=FOLDER)
        self.number = 0

    def send(self, data):
        self.process.stdin.write(data if isinstance(data, bytes) else json.dumps(data).encode() + b"\n")
        self.process.stdin.flush()

    def read(self):
        return json.loads(self.process.stdout.readline())

    def request(self, method, params=None):
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method}
        if params is not None:
            message["params"] = params
        return message

    def ask(self, method, params=None):
        message = self.request(method, params)
        self.send(message)
        answer = self.read()
        same("version", answer.get("jsonrpc"), "2.0")
        same("id of " + method, answer.get("id"), message["id"])
        return answer

    def tool(self, name, **arguments):
        """The result, and for rows the parsed text of it."""
        message = self.request("tools/call", {"name": name, "arguments": arguments})
        self.send(message)
        line = self.process.stdout.readline()
        result = json.loads(line)["result"]
        if result["isError"]:
            return None, result["content"][0]["text"]
        if "structuredContent" not in result:
            return result, None
        texts = [part["text"] for part in result["content"]]
        same("one text", len(texts), 1)
        same("text and structure of " + name, parse(texts[0]), parse(line)["result"]["structuredContent"])
        return result["structuredContent"], parse(texts[0])

    def child(self):
        """The process of the running call; None: there is none yet."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children", encoding="ascii") as file:
            found = file.read().split()
        return int(found[0]) if found else None

    def stop_call(self, **arguments):
        """Begin a call and stop its process: its number and that of the request."""
        for _ in range(100):
            message = self.request("tools/call", {"name": "incidents", "arguments": arguments})
            self.send(message)
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                child = self.child()
                if child is None:
                    if select.select([self.process.stdout], [], [], 0)[0]:
                        break
                    continue
                try:
                    os.kill(child, signal.SIGSTOP)
                    with open(f"/proc/{child}/stat", encoding="ascii", errors="replace") as file:
                        state = file.read().rpartition(")")[2].split()[0]
                except (ProcessLookupError, FileNotFoundError):
                    break
                if state == "T":
                    return child, message["id"]
                if state in "ZX":
                    break
            self.read()  # it was faster
        raise SystemExit("no call could be stopped")

    def end(self, status=0):
        self.process.stdin.close()
        rest = self.process.stdout.read()
        same("exit status", self.process.wait(), status)
        return rest


def command(words):
    ran = subprocess.run([PMON, *words], cwd=FOLDER, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    return ran.stdout.decode()


# ---- The handshake ----------------------------------------------------------------------------------

server = Server(".")
for asked, wanted in [("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"),
                      ("2025-03-26", "2025-11-25"), ("1999-01-01", "2025-11-25")]:
    begun = server.ask("initialize", {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}})
    same("version for " + asked, begun["result"]["protocolVersion"], wanted)
same("capabilities", sorted(begun["result"]["capabilities"]), ["resources", "tools"])
same("name", begun["result"]["serverInfo"]["name"], "pmon")
same("no version", server.ask("initialize", {})["error"]["code"], -32602)
server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
server.send({"jsonrpc": "2.0", "method": "notifications/unheard-of", "params": {"a": [1]}})
same("ping", server.ask("ping")["result"], {})
same("method", server.ask("prompts/list")["error"]["code"], -32601)
same("cursor", server.ask("tools/list", {"cursor": "x"})["error"]["code"], -32602)

tools = {tool["name"]: tool for tool in server.ask("tools/list")["result"]["tools"]}
same("tools", sorted(tools), sorted("open summary incidents counters stats values find explain changes compare chart".split()))
for name, tool in tools.items():
    schema = tool["inputSchema"]
    same("type of " + name, schema["type"], "object")
    same("more arguments of " + name, schema["additionalProperties"], False)
    check(set(schema["required"]) <= set(schema["properties"]), name + ": required")
    check(all(p.get("description") and p["type"] in ("string", "array", "boolean", "integer")
              for p in schema["properties"].values()), name + ": properties")
    check(tool["annotations"]["readOnlyHint"], name + ": readOnlyHint")

# ---- Documents --------------------------------------------------------------------------------------

source = os.environ["PMON_SOURCE_DIR"]
files = {"pmon://agents": "docs/agents.md", "pmon://glossary": "docs/glossary.md",
         "pmon://counters": "docs/reference/counters.md", "pmon://meanings": "docs/reference/meanings.md"}
same("resources", [r["uri"] for r in server.ask("resources/list")["result"]["resources"]], list(files))
for uri, path in files.items():
    with open(os.path.join(source, path), encoding="utf-8") as file:
        same(uri, server.ask("resources/read", {"uri": uri})["result"]["contents"][0]["text"], file.read())
same("templates", server.ask("resources/templates/list")["result"], {"resourceTemplates": []})
same("no such resource", server.ask("resources/read", {"uri": "file:///etc/passwd"})["error"]["code"], -32002)
same("no uri", server.ask("resources/read")["error"]["code"], -32602)

# ---- Answers are those of the command -----------------------------------------------------------------


def expected(text, lists, left_out=()):
    """The rows of an output of the command, and its other members."""
    if not lists:
        return [parse(line) for line in text.splitlines()], {}
    whole = parse(text)
    rows = next((whole[name] for name in lists if name in whole), [])
    return rows, {key: value for key, value in whole.items() if key not in (*lists, *left_out)}


def check_tool(name, lists, left_out=(), **arguments):
    """Each page of it, against the command that it names."""
    rows = []
    offset = 0
    while offset is not None:
        answer, exact = server.tool(name, **arguments, offset=offset)
        if answer is None:
            check(False, f"{name} {arguments}: {exact}")
            return []
        rows += exact["rows"]
        page = answer["page"]
        same("rows of a page", page["rows"], len(answer["rows"]))
        same("types", {t["type"] for t in answer["types"] if t["formula"] and t["average"] and t["source"]} >=
             {row["type"] for row in answer["rows"] if row.get("type")}, True)
        check(page["next_offset"] is None or page["next_offset"] == offset + page["rows"], f"{name}: next_offset")
        check(len(json.dumps(answer["rows"])) < 60000 or page["rows"] == 1, f"{name}: a page is large")
        total = page["total"]
        offset = page["next_offset"]
    words = shlex.split(answer["command"])
    same("command", words[0], "pmon")
    wanted, about = expected(command(words[1:]), lists, left_out)
    for row in (*rows, *wanted):  # a call names logs by their real paths
        if "file" in row:
            row["file"] = os.path.basename(row["file"])
    same(f"rows of {name} {arguments}", rows, wanted)
    same("about " + name, exact["about"], about)
    check(total is None or total == len(rows), f"{name}: total")
    same("logs of " + name, answer["logs"], arguments["logs"])
    return rows


dropped = ("incidents", "findings", "within", "not_judged", "beyond")
logs = [LOG]
check_tool("open", ["logs"], logs=logs)
check_tool("summary", ["incidents"], logs=logs)
incidents = check_tool("incidents", ["incidents"], dropped, logs=logs)
check_tool("incidents", ["incidents"], dropped, logs=logs, limit=1)
check_tool("incidents", ["findings"], dropped, logs=logs, crossed=True)
paths = [row["path"] for row in check_tool("counters", ["counters"], logs=logs, limit=7)]
check(len(paths) > 7 and incidents, "the log has counters and incidents")
check_tool("stats", ["counters"], logs=logs, limit=3)
check_tool("stats", ["counters"], logs=logs, sort="total", counters=["\\Process(*)\\*"], percentiles="50,95")
check_tool("stats", ["counters"], logs=logs, step="1h", counters=paths[:2], by="machine", where=["average>0", "samples>1"])
check_tool("values", [], logs=logs, counters=paths[:1], limit=200)
check_tool("values", ["counters"], logs=logs, counters=paths[:1], step="30m")
check_tool("values", [], logs=logs, counters=["\\Processor(*)\\*"], **{"from": "+5m", "to": "+6m"})
check_tool("find", ["episodes"], logs=logs, condition="\\Processor(_Total)\\% Processor Time > 50% for 1m",
           show="\\Process(*)\\% Processor Time top 2")
check_tool("explain", [], logs=logs, counters=paths[:2])
check_tool("explain", ["explained"], logs=logs, incident=incidents[0]["id"])
check_tool("changes", ["shifts", "series"], logs=logs)
check_tool("changes", ["shifts", "series"], logs=logs, at=incidents[0]["from"], window="15m")
check_tool("compare", ["series"], logs=[LOG, LOG])
check_tool("compare", ["series"], logs=logs, before="+0m..+10m", after="+60m..+70m")
listed, exact = server.tool("open")
same("logs that are there", {row["log"]: int(row["size_bytes"]) for row in exact["rows"]},
     {name: os.path.getsize(os.path.join(FOLDER, name)) for name in
      (os.path.relpath(os.path.join(folder, file), FOLDER) for folder, _, found in os.walk(FOLDER) for file in found)
      if name.endswith((".csv", ".blg")) and not os.path.islink(os.path.join(FOLDER, name))})

# ---- Pictures -----------------------------------------------------------------------------------------

before = set(os.listdir("/tmp"))
for arguments in [{"incident": incidents[0]["id"]}, {"counters": paths[:1], "size": "640x300", "theme": "dark", "kind": "area"}]:
    result, why = server.tool("chart", logs=logs, **arguments)
    if result is None:
        check("cairo" in why, "chart: " + why)
        continue
    picture = base64.b64decode(result["content"][0]["data"], validate=True)
    same("signature", picture[:8], b"\x89PNG\r\n\x1a\n")
    same("end", picture[-8:-4], b"IEND")
    same("MIME type", result["content"][0]["mimeType"], "image/png")
    check("chart.png" in json.loads(result["content"][1]["text"])["command"], "command of a picture")
    if "size" in arguments:
        same("size", struct.unpack(">II", picture[16:24]), (640, 300))

# ---- Wrong arguments ----------------------------------------------------------------------------------

for name, arguments, word in [
        ("stats", {"logs": LOG}, "list"), ("stats", {"logs": []}, "list"), ("stats", {"logs": [1]}, "names"),
        ("stats", {"logs": [LOG] * 65}, "list"), ("stats", {}, "open"), ("stats", {"logs": logs, "frob": 1}, "frob"),
        ("stats", {"logs": logs, "limit": 0}, "limit"), ("stats", {"logs": logs, "limit": 501}, "500"),
        ("stats", {"logs": logs, "offset": -1}, "offset"), ("stats", {"logs": logs, "offset": 1.5}, "offset"),
        ("stats", {"logs": logs, "by": "moon"}, "moon"), ("stats", {"logs": logs, "by": 7}, "by"),
        ("stats", {"logs": logs, "counters": "cpu"}, "counters"), ("stats", {"logs": logs, "counters": [None]}, "counters"),
        ("stats", {"logs": logs, "from": "someday"}, "someday"), ("stats", {"logs": logs, "from": "x" * 5000}, "from"),
        ("stats", {"logs": logs, "counters": ["\\Nothing\\At all"]}, "Nothing"),
        ("stats", {"logs": logs, "counters": ["a"] * 500}, "many"),
        ("incidents", {"logs": logs, "crossed": 1}, "crossed"), ("values", {"logs": logs}, "counters"),
        ("find", {"logs": logs}, "condition"), ("find", {"logs": logs, "condition": ["a"]}, "condition"),
        ("find", {"logs": logs, "condition": "--help"}, "condition"), ("find", {"logs": logs, "condition": ""}, "condition"),
        ("explain", {"logs": logs, "incident": "00000000"}, "00000000"),
        ("compare", {"logs": [LOG, LOG, LOG]}, "two"), ("open", {"logs": ["notes.txt"]}, "notes.txt")]:
    answer, why = server.tool(name, **arguments)
    check(answer is None and word in why, f"{name} {str(arguments)[:80]}: {str(why)[:200]}")
same("no tool", server.ask("tools/call", {"name": "rm"})["error"]["code"], -32602)
same("no name", server.ask("tools/call", {})["error"]["code"], -32602)
same("arguments", server.ask("tools/call", {"name": "stats", "arguments": [1]})["result"]["isError"], True)

# ---- Only logs in the folders ---------------------------------------------------------------------------

with tempfile.TemporaryDirectory() as outside:
    secret = os.path.join(outside, "secret.csv")
    with open(os.path.join(FOLDER, LOG), "rb") as file, open(secret, "wb") as copy:
        copy.write(file.read())
    os.symlink(secret, os.path.join(FOLDER, "link.csv"))
    os.symlink(outside, os.path.join(FOLDER, "way"))
    os.symlink(LOG, os.path.join(FOLDER, "inside.csv"))
    os.mkfifo(os.path.join(FOLDER, "pipe.csv"))
    with open(os.path.join(FOLDER, "list.txt"), "w", encoding="utf-8") as file:
        file.write(secret + "\n")
    real = os.path.realpath(FOLDER)
    name = os.path.basename(real)
    for path in ["link.csv", "way/secret.csv", secret, os.path.relpath(secret, FOLDER), "../" + os.path.basename(outside),
                 "/etc/passwd", "/etc/passwd.missing", "pipe.csv", "sub", ".", "", "/", "-", "@list.txt", "@" + secret,
                 "*.csv", "/dev/stdin", "/proc/self/environ", f"../{name}-other/{LOG}", real + "-other/" + LOG,
                 "/proc/self/cwd/../../etc/passwd", "missing.csv", "a" * 3999, "x\ny.csv"]:
        answer, why = server.tool("stats", logs=[path])
        check(answer is None and "folders" in why, f"{path!r}: {str(why)[:200]}")
    check("link" in server.tool("stats", logs=["link.csv"])[1], "a link that leads out is named as one")
    same("what exists elsewhere", server.tool("stats", logs=["/etc/passwd"])[1].replace("passwd", "x"),
         server.tool("stats", logs=["/etc/missing"])[1].replace("missing", "x"))
    for path in ["inside.csv", "./" + LOG, os.path.join(real, LOG), f"../{name}/{LOG}", "sub/-n 'x'.csv", "-x.csv", "@at.csv"]:
        check(server.tool("open", logs=[path])[0] is not None, f"{path!r} is in the folder")
    check(not any(row["log"] in ("link.csv", "pipe.csv", "way/secret.csv") for row in server.tool("open")[0]["rows"]),
          "links that lead out are not listed")

    one = Server(secret)
    same("the log of the command line", one.tool("open", logs=["secret.csv"])[0]["page"]["rows"], 1)
    check(one.tool("stats", limit=1)[0] is not None, "the log of the command line is the default")
    check(one.tool("stats", logs=[LOG])[0] is None, "only that log")
    same("listed", [row["log"] for row in one.tool("open", logs=[secret])[0]["rows"] if "log" in row], [])
    one.end()

# ---- Hostile messages -----------------------------------------------------------------------------------

good = json.dumps(server.request("tools/call", {"name": "stats", "arguments": {"logs": ["é\\\"\u2028"], "offset": 1e0}})).encode()
for end in range(1, len(good)):
    server.send(good[:end] + b"\n")
    answer = server.read()
    same(f"{end} bytes", (answer["id"], answer["error"]["code"]), (None, -32700))
for at in range(len(good)):
    # A changed byte may be anything but silence, or a crash.
    server.send(good[:at] + bytes([good[at] ^ 0x5A]) + good[at + 1:] + b"\n")
    server.send(server.request("ping"))
    while server.read().get("id") != server.number:
        pass
for line, code in [
        (b"[]", -32600), (b"[" + good + b"]", -32600), (b"1", -32700), (b'"x"', -32700), (b"null", -32700), (b"{}", -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600), (b'{"id":1,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":5}', -32600), (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', -32600), (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32700),
        (b'{"jsonrpc":"2.0","id":99999999999999999999999,"method":"ping"}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"\\u0000"}', -32700), (b"\x00", -32700), (b"\xff\xfe{}", -32700),
        (b'{"a":"\xc3"}', -32700), (b"[" * 100000, -32700), (b'{"a":' * 100000, -32700), (b"{" + b" " * (1 << 20) + b"}", -32600),
        (b"x" * (3 << 20), -32600), (b"\x1b[2J", -32700)]:
    server.send(line + b"\n")
    same(f"{line[:60]!r}", server.read()["error"]["code"], code)
server.send(b'\n  \n\r\n{"jsonrpc":"2.0","id":7,"result":{}}\n{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":""}}\n')
server.send(b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"stats"}}\n')  # nobody asks for an answer
server.send(b'{"jsonrpc":"2.0","method":"notifications/cancelled"}\n{"jsonrpc":"2.0","method":"notifications/cancelled",'
            b'"params":{"requestId":{}}}\n')
for odd in ["a", "", 0, -5, 1.5, "\u2028\"\\", 2**53]:
    server.send({"jsonrpc": "2.0", "id": odd, "method": "ping"})
    same("id", server.read(), {"jsonrpc": "2.0", "id": odd, "result": {}})
server.send(json.dumps(server.request("ping")).encode() + b"\r\n")
same("CR LF", server.read()["id"], server.number)

# ---- Cancelled, crashed and many calls --------------------------------------------------------------------

child, number = server.stop_call(logs=logs)
same("answers while a call runs", server.ask("ping")["result"], {})
waiting = server.request("tools/call", {"name": "open", "arguments": {}})
server.send(waiting)
server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": waiting["id"]}})
server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
same("the next call", server.tool("open")[0]["page"]["offset"], 0)  # the first answer after both
check(not os.path.exists(f"/proc/{child}"), "a cancelled call is killed")

child, number = server.stop_call(logs=logs)
os.kill(child, signal.SIGKILL)
answer = server.read()
same("the call that crashed", (answer["id"], answer["result"]["isError"]), (number, True))

child, number = server.stop_call(logs=logs)
for _ in range(65):
    server.send(server.request("tools/call", {"name": "open", "arguments": {"limit": 1}}))
same("too many calls", server.read()["error"]["code"], -32603)
os.kill(child, signal.SIGCONT)
same("the first call", server.read()["id"], number)
for i in range(64):
    same("calls in order", server.read()["id"], number + 1 + i)
check(server.ask("ping")["result"] == {}, "it still answers")
same("nothing is left", server.end(), b"")
left = [name for name in set(os.listdir("/tmp")) - before if os.path.exists(os.path.join("/tmp", name, "chart.png"))]
same("pictures left", left, [])

# All that was asked is answered when input ends, also if the last line has no end.
server = Server(FOLDER)
server.send(server.request("tools/call", {"name": "stats", "arguments": {"logs": logs, "limit": 1}}))
server.send(json.dumps(server.request("ping")).encode())
same("answers at the end", sorted(json.loads(line)["id"] for line in server.end().splitlines()), [1, 2])

# A client that is gone: a signal, or nobody reads.
server = Server(FOLDER)
child, number = server.stop_call(logs=logs)
server.process.terminate()
server.end(0)
check(not os.path.exists(f"/proc/{child}"), "a call ends with its server")
sys.exit(problems > 0)
