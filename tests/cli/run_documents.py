# run_documents.py - run every command that README and docs/ show, and compare what they print
# SPDX-License-Identifier: MIT
#
#	run_documents.py SOURCE LOGS [DOCUMENT...]
#
# Blocks marked ```sh are commands, one a line ("\" at the end continues it); each must exit with 0.
# Blocks marked ```console hold "$ command" lines, each followed by its output: the status is 0 or 3,
# and the output, standard error included, is the one shown; "..." stands for lines left out.
# All commands of a document run one after the other in one folder, which holds copies of the logs in
# LOGS; "share" and "rules" are those of the source tree.
#
# A comment before a block says what else is known of it:
#	<!-- not run: REASON -->    it needs a server, root, a desktop or a long time
#	<!-- output varies -->      it runs; what it prints is an example
# In a document with <!-- inline commands run --> the code spans in its text that begin with "pmon " and
# name a counter, a log or an option run too; "<!-- not run: REASON -->" ends that, up to the next heading.
# The last line says how many commands ran and how many were marked.

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

LIMIT_S = 300
REAL_LOG = "SampleLog.blg"
# Anything else could change the machine that the test runs on.
PROGRAMS = {"pmon", "share/examples/slow-server", "share/examples/logs", "printf", "xxhsum", "sqlite3", "ls", "for", "cat", "wc"}

ran = marked = 0
problems = []


def documents(source):
    """All but docs/engines, whose pages need servers: tests/push/engine_docs.sh runs these"""
    names = ["README.md"]
    for folder, _, files in os.walk(os.path.join(source, "docs")):
        names += [os.path.relpath(os.path.join(folder, name), source) for name in files
                  if name.endswith(".md") and os.path.basename(folder) != "engines"]
    return sorted(names)


class Block:
    def __init__(self, line, language, marks):
        self.line, self.language, self.marks, self.lines = line, language, marks, []

    def has(self, mark):
        return any(text.startswith(mark) for text in self.marks)


def blocks(text):
    """The blocks of code of a document, and its text as blocks of the language None"""
    found, block, marks = [], None, []
    for number, line in enumerate(text.splitlines(), 1):
        fence = re.match(r"\s*```(\w*)", line)
        comment = re.match(r"<!-- (.*) -->$", line)
        if fence and block and block.language is not None:
            block = None
            marks = []
        elif fence:
            block = Block(number, fence.group(1), marks)
            found.append(block)
        elif block and block.language is not None:
            block.lines.append(line)
        elif comment:
            marks = marks + [comment.group(1)]
        else:
            if line.startswith("#"):
                marks = []
            if line:
                block = Block(number, None, marks)
                block.lines.append(line)
                found.append(block)
                block = None
    return found


def commands_of_sh(block):
    joined = re.sub(r"\\\n\s*", "", "\n".join(block.lines))
    return [(line, None) for line in joined.splitlines() if line.strip() and not line.startswith("#")]


def commands_of_console(block):
    commands = []
    for line in block.lines:
        if line.startswith("$ "):
            commands.append([line[2:], ""])
        elif commands and commands[-1][0].endswith("\\"):
            commands[-1][0] = commands[-1][0][:-1] + line.strip()
        elif commands:
            commands[-1][1] += line + "\n"
    return commands


def commands_of_text(block):
    spans = re.findall(r"`(pmon [^`]+)`", block.lines[0])
    return [(span.replace("\\|", "|"), None) for span in spans if re.search(r"[\\-]|\.blg", span)]


def matches(shown, output):
    """Whether the output is what is shown, with lines left out where "..." stands"""
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(line) + r"[ ]*\n"
                      for line in shown.splitlines())
    return re.fullmatch(pattern, output) is not None


def run(name, block, command, shown, folder):
    global ran
    place = "%s:%d" % (name, block.line)
    if command.split()[0] not in PROGRAMS:
        problems.append("%s: is not a program that this test runs: %s" % (place, command))
        return
    ran += 1
    child = subprocess.Popen(["bash", "-o", "pipefail", "-c", command], cwd=folder, text=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, errors="replace", start_new_session=True)
    try:
        output = child.communicate(timeout=LIMIT_S)[0]
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        problems.append("%s: longer than %d s: %s" % (place, LIMIT_S, command))
        return
    good = (0,) if shown is None else (0, 3)
    if re.search(r"\| *head\b", command):
        good += (141,)  # SIGPIPE
    if child.returncode not in good:
        problems.append("%s: exit status %d: %s\n%s" % (place, child.returncode, command, output))
    elif shown is not None and not block.has("output varies") and not matches(shown, output):
        problems.append("%s: %s\nis shown with\n%s\nbut prints\n%s" %
                        (place, command, shown, output))


def run_document(source, logs, name, folder):
    global marked
    with open(os.path.join(source, name), encoding="utf-8") as file:
        text = file.read()
    inline = "<!-- inline commands run -->" in text
    kinds = {"sh": commands_of_sh, "console": commands_of_console}
    for block in blocks(text):
        read = kinds.get(block.language, commands_of_text if inline and block.language is None else None)
        commands = read(block) if read else []
        for command, shown in commands:
            if block.has("not run: ") or (REAL_LOG in command and
                                          not os.path.exists(os.path.join(logs, REAL_LOG))):
                marked += 1
            else:
                run(name, block, command, shown, folder)


def main(argv):
    source, logs = os.path.abspath(argv[1]), argv[2]
    names = argv[3:] or documents(source)
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            for log in os.listdir(logs):
                shutil.copy(os.path.join(logs, log), folder)
            for link in ("share", "rules"):
                os.symlink(os.path.join(source, link), os.path.join(folder, link))
            run_document(source, logs, name, folder)
    for problem in problems:
        print("run_documents: " + problem)
    print("%d documents, %d commands ran, %d marked as not run, %d problems" %
          (len(names), ran, marked, len(problems)))
    return 1 if problems or ran < 50 and len(names) > 1 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
