# engine_docs.py - run a page of docs/engines/ as a reader would, block by block
# SPDX-License-Identifier: MIT
#
#	engine_docs.py SOURCE PMON FOLDER PAGE      in namespaces of its own, see engine_docs.sh
#
# One shell runs all of the page, in a folder with the "share" of the source tree:
#	```sh        the block; each of its commands must succeed
#	```console   "$ command" and its output, as in tests/cli/run_documents.py; "..." stands for lines left out
#	```sql       given to the client that the text before names last: "SQL ... `clickhouse-client ...`"
#	```text      what the sh or sql block before it printed
#	other        a file; its first line is a comment that names it: "# on a and b: /etc/...", "# /etc/...", "# name"
# <!-- output varies --> before a console block: it prints something, and that is an example. No block may be left out,
# but those marked <!-- needs a newer server: tests/push/... has what tests it -->.
# The machines are those of tests/push/machines.py. Exit status 77: a package is not here.

import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import machines  # noqa: E402
import run_documents  # noqa: E402

LIMIT_S = 240
FILE_NAME = re.compile(r"\s*(?:<!--|#)\s*(?:on ([\w, ]+): )?(\S*[\w-][./][\w./-]+|/\S+)(?:\s*-->)?\s*$")
CLIENT = re.compile(r"SQL[^`]*`((?:clickhouse-client|psql)[^`]*)`")

problems = []
ran = 0


class Shell:
    """The reader's shell: variables that a block exports are there for the next"""

    def __init__(self, folder, env):
        self.folder, self.count, self.env = folder, 0, env
        self.start()

    def start(self):
        self.bash = subprocess.Popen(["bash", "--norc", "-o", "pipefail"], cwd=self.folder, env=self.env,
                                     stdin=subprocess.PIPE, text=True)

    def run(self, script, stop_at_failure):
        """Exit status and output of a script; None if it takes too long"""
        global ran
        ran += 1
        self.count += 1
        name = os.path.join(os.path.dirname(self.folder), "block%d" % self.count)
        with open(name, "w", encoding="utf-8") as file:
            file.write(script + "\n")
        checked = "set -e; . %s; set +e" if stop_at_failure else ". %s"
        self.bash.stdin.write("{ %s; } </dev/null >%s.out 2>&1\necho $? >%s.part && mv %s.part %s.status\n" %
                              (checked % name, name, name, name, name))
        self.bash.stdin.flush()
        status = self.wait(name + ".status")
        with open(name + ".out", encoding="utf-8", errors="replace") as file:
            return status, file.read()

    def wait(self, name):
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            if os.path.exists(name):
                with open(name, encoding="utf-8") as file:
                    return int(file.read())
            if self.bash.poll() is not None:  # a command of a block failed
                status = self.bash.returncode
                self.start()
                return status
            time.sleep(0.02)
        self.bash.kill()
        self.start()
        return None


class Page:
    def __init__(self, name, shell, site, source):
        self.name, self.shell, self.site, self.source = name, shell, site, source
        self.client = None
        self.printed = ""

    def problem(self, block, text):
        problems.append("%s:%d: %s" % (self.name, block.line, text))

    def sh(self, block):
        if FILE_NAME.match(block.lines[0]):  # a file of variables
            return self.file(block)
        status, self.printed = self.shell.run("\n".join(block.lines), True)
        if status != 0:
            self.problem(block, "status %s of\n%s\n%s" % (status, "\n".join(block.lines), self.printed))

    def console(self, block):
        for command, shown in run_documents.commands_of_console(block):
            status, output = self.shell.run(command, False)
            if status not in (0, 3):
                self.problem(block, "status %s: %s\n%s" % (status, command, output))
            elif block.has("output varies"):
                if not output.strip():
                    self.problem(block, "%s\nprints nothing" % command)
            elif not run_documents.matches(shown, output):
                self.problem(block, "%s\nis shown with\n%s\nbut prints\n%s" % (command, shown, output))

    def sql(self, block):
        if not self.client:
            return self.problem(block, "no client of SQL is named before this block")
        query = os.path.join(os.path.dirname(self.shell.folder), "query.sql")
        with open(query, "w", encoding="utf-8") as file:
            file.write("\n".join(block.lines) + "\n")
        status, self.printed = self.shell.run("%s <%s" % (self.client, query), False)
        if status != 0 or re.search(r"^(ERROR|Code):", self.printed, re.M):
            self.problem(block, "status %s of\n%s\n%s" % (status, "\n".join(block.lines), self.printed))

    def text(self, block):
        shown = "\n".join(block.lines) + "\n"
        if not run_documents.matches(shown, self.printed):
            self.problem(block, "shown is\n%s\nbut printed was\n%s" % (shown, self.printed))

    def file(self, block):
        name = FILE_NAME.match(block.lines[0]) if block.lines else None
        if not name:
            return self.problem(block, "the first line does not name the file")
        hosts = re.findall(r"\w+", re.sub(r"\band\b", "", name.group(1) or "")) or ["here"]
        for host in hosts:
            self.site.write(host, os.path.join(self.shell.folder, name.group(2)), "\n".join(block.lines) + "\n")

    def run(self, block):
        if block.language is None:
            named = CLIENT.findall(block.lines[0])
            self.client = named[-1] if named else self.client
        elif block.has("not run"):
            self.problem(block, "each block has to run")
        elif block.has("needs a newer server: "):
            test = re.search(r"tests/push/\w+\.(?:sh|py)", " ".join(block.marks))
            if not test or not os.path.exists(os.path.join(self.source, test.group(0))):
                self.problem(block, "the mark names no test")
        else:
            known = {"sh": self.sh, "console": self.console, "sql": self.sql, "text": self.text}
            known.get(block.language, self.file)(block)


def paragraphs(text):
    """The lines of a paragraph as one, so that a name of a client may be anywhere in it"""
    block = None
    for found in run_documents.blocks(text):
        if found.language is None and block and block.language is None:
            block.lines = [block.lines[0] + " " + found.lines[0]]
            continue
        if block:
            yield block
        block = found
    if block:
        yield block


def main(source, pmon, folder, name):
    shutil.rmtree(folder, ignore_errors=True)
    work = os.path.join(folder, "reader")
    os.makedirs(work)
    os.symlink(os.path.join(source, "share"), os.path.join(work, "share"))
    site = machines.Site(folder, pmon)
    page = Page(os.path.basename(name), Shell(work, site.env), site, source)
    with open(name, encoding="utf-8") as file:
        for block in paragraphs(file.read()):
            page.run(block)
            missing = site.missing()
            if missing:
                print("%s needs the package %s" % (page.name, missing))
                return 77
    for problem in problems:
        print("engine_docs: " + problem)
    print("%s: %d commands and blocks ran, %d problems" % (page.name, ran, len(problems)))
    return 1 if problems else 0


sys.exit(main(*sys.argv[1:]))
