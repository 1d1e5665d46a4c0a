// lib.mjs - what the tests of the page share: the server, a browser, steps that say what they do
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { promisify } from "node:util";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const source = process.env.PMON_SOURCE_DIR ?? join(import.meta.dirname ?? ".", "../..");
export const build = process.env.PMON_BUILD_DIR ?? join(source, "build");
export const pmon = process.env.PMON_BIN ?? join(build, "pmon");
export const data = process.env.PMON_TEST_DATA ?? join(source, "../shared/data");

const BROWSERS = [
	"/usr/lib/chromium/chromium-headless-shell",
	"/usr/bin/chromium",
	"/usr/bin/chromium-browser",
	"/usr/bin/google-chrome",
];
const OPTIONS = [
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
	"--no-default-browser-check",
];
const SERVER_WAIT_MS = 120000;
const STEP_WAIT_MS = 120000; // a busy machine needs many seconds where others need none
const MOST_LINES = 16; // of what a failed step says

export function skip(words) {
	console.log(`skipped: ${words}`);
	process.exit(77);
}

// Files that go when the test ends.
const scratch = mkdtempSync(join(tmpdir(), "pmon-web-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
export const temporary = (name) => join(scratch, name);

const run = promisify(execFile);

// What a command prints. Meanwhile this program notices that a server closes connections that are idle, and does not use
// them any more.
export async function pmonJson(...args) {
	const running = run(pmon, args, { encoding: "utf8", maxBuffer: 1 << 30 });
	running.child.stdin.end();
	const { stdout } = await running;
	return JSON.parse(stdout);
}

// ---- The server ---------------------------------------------------------------------------------

// The key of an address opens one browser. These tests open many, which get the token of programs in its place;
// test_access.mjs is of keys.
export const TOKEN = randomBytes(16).toString("hex");
writeFileSync(temporary("token"), TOKEN, { mode: 0o600 });

// Starts pmon view; answers {url, address, stop}: url without the key that the address has.
export function serve(...args) {
	const child = spawn(pmon, ["view", "--no-browser", "--token-file", temporary("token"), ...args], {
		stdio: ["ignore", "pipe", "pipe"],
	});
	let said = "";
	const stop = () =>
		new Promise((done) => {
			child.on("exit", done);
			child.kill("SIGINT");
		});
	process.setMaxListeners(100);
	process.on("exit", () => child.kill("SIGKILL"));
	return new Promise((done, fail) => {
		const timer = setTimeout(
			() => fail(new Error(`no address: ${said}`)),
			SERVER_WAIT_MS,
		);
		const listen = (chunk) => {
			said += chunk;
			const match = /https?:\/\/\S+\n/.exec(said);
			if (match) {
				clearTimeout(timer);
				const address = match[0].trim();
				const url = address.split("?")[0];
				done({ url, address, pid: child.pid, stop, kill: () => child.kill("SIGKILL") });
			}
		};
		child.stdout.on("data", listen);
		child.stderr.on("data", listen);
		child.on("exit", (code) =>
			fail(new Error(`pmon view ended with ${code}: ${said}`)),
		);
	});
}

// The API without a browser: {ask(endpoint, parameters), loaded()}.
export async function openSession(url) {
	const headers = { Authorization: `Bearer ${TOKEN}` };
	const ask = async (endpoint, parameters = {}) => {
		const query = new URLSearchParams(parameters);
		const answer = await fetch(new URL(`/api/${endpoint}?${query}`, url), { headers });
		return answer.json();
	};
	// The first set, once it is read.
	const loaded = async () => {
		for (;;) {
			const { sets } = await ask("log");
			if (sets[0].state !== "loading") return sets[0];
			await new Promise((done) => setTimeout(done, 50));
		}
	};
	return { ask, loaded };
}

// Without libmicrohttpd there is no page to test.
export function needView() {
	try {
		execFileSync(pmon, ["view", "--help"], { stdio: "ignore" });
	} catch {
		skip("this pmon has no view");
	}
}

// ---- The browser --------------------------------------------------------------------------------

export async function openBrowser() {
	const program = BROWSERS.find((path) => existsSync(path));
	if (!program) skip("chromium is not here: tools/setup check brings it");
	let playwright;
	try {
		playwright = await import("playwright-core");
	} catch {
		skip("playwright-core is not here: tools/setup check brings it");
	}
	// It has no sandbox of its own, as that of Chromium does not work for root and in containers; it
	// sees nothing but the page of this test.
	return playwright.chromium.launch({
		executablePath: program,
		args: OPTIONS,
		headless: true,
	});
}

// A page that remembers what went wrong in it: errors of scripts, of the console, and requests that
// left this machine. `allow` are errors that a test provokes.
export async function openPage(browser, url, { hasToken = true, ...options } = {}) {
	const context = await browser.newContext({
		viewport: { width: 1280, height: 800 },
		acceptDownloads: true,
		...options,
	});
	if (hasToken) {
		const { origin } = new URL(url);
		const keep = ([origin, token]) => location.origin === origin && sessionStorage.setItem("pmon-secret", token);
		await context.addInitScript(keep, [origin, TOKEN]);
	}
	return { ...(await openTab(context, url)), context };
}

// Another page of a browser, as openPage() gives it.
export async function openTab(context, url) {
	const page = await context.newPage();
	page.setDefaultTimeout(STEP_WAIT_MS);
	const errors = [];
	page.on("pageerror", (error) => errors.push(error.stack));
	page.on("console", (message) => {
		if (message.type() === "error" || message.type() === "warning")
			errors.push(`${message.text()} ${message.location().url}`);
	});
	page.on("request", (request) => {
		const { protocol, host } = new URL(request.url());
		if (protocol.startsWith("http") && host !== new URL(url).host)
			errors.push(`a request to ${host}`);
	});
	await page.goto(url);
	return { page, errors };
}

// pmon view with these arguments, and its page in a browser; skips what the machine does not have.
export async function openView(args, options = {}) {
	needView();
	const browser = await openBrowser();
	const server = await serve(...args);
	return { browser, server, ...(await openReady(browser, server.url, options)) };
}

// A page that shows its first counters.
export async function openReady(browser, url, options = {}) {
	const opened = await openPage(browser, url, options);
	await opened.page.waitForSelector("#legend-rows tr");
	await settled(opened.page);
	return opened;
}

// The widths that people have, each in one theme: layouts depend on the width, colours on the theme. PMON_TEST_FULL=1:
// in both.
const SIZES = [
	[1440, 900, ["light"]],
	[1024, 768, ["dark"]],
	[390, 844, ["light"]],
];
const THEMES = ["light", "dark"];

// A tool of the page, which a phone may have under "More".
export async function useTool(page, name) {
	const tool = page.locator(`:is(#toolbar, #page-tools) [data-command=${name}]`);
	if (!(await tool.isVisible())) await page.click("#more");
	await tool.click();
}

// Calls act({page, errors, where, width, height, colorScheme}) with a page of each size; where the colours matter, that
// of a phone, which has parts of its own, is light and dark.
export async function atEachSize(browser, url, act, { colorsMatter = false, ...more } = {}) {
	for (const [width, height, usual] of SIZES) {
		const isBoth = process.env.PMON_TEST_FULL || (colorsMatter && width < 500);
		for (const colorScheme of isBoth ? THEMES : usual) {
			const options = { viewport: { width, height }, colorScheme, hasTouch: width < 500, ...more };
			const opened = await openReady(browser, url, options);
			await act({ ...opened, where: `${width} ${colorScheme}`, width, height, colorScheme });
			await opened.page.context().close();
		}
	}
}

// One parameter of the address of the page, or null.
export const addressOf = (page, name) =>
	new URLSearchParams(new URL(page.url()).hash.slice(1)).get(name);

// Some time of the page's own clock: what it has put off for less has been done then, however busy it is.
const letPass = (page, ms) => page.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), ms);

// The page sent a request, and shows the answer.
export async function settled(page) {
	await letPass(page, 60);
	await page.waitForFunction(
		() => document.getElementById("stage").getAttribute("aria-busy") === "false",
	);
	await letPass(page, 30);
}

export async function picture(page, name) {
	const folder = join(build, "pictures");
	mkdirSync(folder, { recursive: true });
	await page.screenshot({ path: join(folder, `${name}.png`) });
}

// ---- Steps --------------------------------------------------------------------------------------

let failures = 0;

export async function step(words, act) {
	const start = Date.now();
	try {
		await act();
		console.log(`ok    ${words} (${Date.now() - start} ms)`);
	} catch (error) {
		failures++;
		console.log(
			[
				"FAIL  " + words,
				...String(error.stack).split("\n").slice(0, MOST_LINES),
			].join("\n      "),
		);
	}
}

export const stepNoErrors = (errors) =>
	step("no error, no warning, no request elsewhere", async () => assert.deepEqual(errors, []));

export function finish() {
	process.exit(failures ? 1 : 0);
}
