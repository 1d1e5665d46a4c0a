// run.mjs - what the step does: health into the summary, the report into a file, and the exit status
// SPDX-License-Identifier: MIT
//
// PMON_COMMAND: a command in place of the npm package.

import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const { INPUT_LOG = "", INPUT_FAIL_ON = "critical", INPUT_REPORT = "", INPUT_VERSION = "latest" } = process.env;
const command = process.env.PMON_COMMAND ? [process.env.PMON_COMMAND] : ["npx", "--yes", `libpmon@${INPUT_VERSION}`];

function pmon(...words) {
	const { status, stdout, stderr, error } = spawnSync(command[0], [...command.slice(1), ...words], {
		encoding: "utf8",
		maxBuffer: 1 << 28,
	});
	if (error) fail(`${command[0]}: ${error.message}`);
	process.stderr.write(stderr);
	return { status, text: stdout };
}

// A message that GitHub shows beside the job.
function fail(message) {
	console.log(`::error title=pmon::${message.trim().replaceAll("%", "%25").replaceAll("\n", "%0A")}`);
	process.exit(1);
}

const append = (variable, text) => process.env[variable] && appendFileSync(process.env[variable], text);

// * and ? in the last part of a path: the shell that starts this does not expand an input.
function filesOf(pattern) {
	if (!/[*?]/.test(pattern) || existsSync(pattern)) return [pattern];
	const escaped = basename(pattern).replace(/[.+^${}()|[\]\\]/g, "\\$&");
	const name = new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`);
	const folder = dirname(pattern);
	return readdirSync(folder).filter((one) => name.test(one)).sort().map((one) => join(folder, one));
}

const lines = INPUT_LOG.split("\n").map((line) => line.trim()).filter((line) => line);
const logs = lines.flatMap(filesOf);
if (logs.length === 0) fail(`no log matches ${lines.join(", ") || "nothing: the input log is empty"}`);
if (!["never", "warning", "critical"].includes(INPUT_FAIL_ON))
	fail(`fail-on is never, warning or critical, not ${INPUT_FAIL_ON}`);

const health = pmon("health", "--format", "markdown", "--fail-on", INPUT_FAIL_ON, ...logs);
if (health.text === "") fail(`pmon health ended with status ${health.status}: its messages are in the log of this step`);
append("GITHUB_STEP_SUMMARY", `## pmon\n\n${health.text}\n`);
process.stdout.write(health.text);
if (INPUT_REPORT) {
	const report = pmon("report", "-y", "-o", INPUT_REPORT, ...logs);
	if (report.status === 0 || report.status === 3) append("GITHUB_OUTPUT", `report=${INPUT_REPORT}\n`);
	else fail(`pmon report ended with status ${report.status}`);
}
if (health.status === 1) fail(`there is an incident of severity ${INPUT_FAIL_ON} or graver`);
process.exit(health.status);
