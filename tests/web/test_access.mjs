// test_access.mjs - who sees the page of pmon view: its key, other tabs, other sites of this machine, many tabs
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { connect } from "node:net";
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import {
	addressOf, finish, needView, openBrowser, openPage, openTab, serve, settled, step, temporary, TOKEN,
} from "./lib.mjs";
import { writeLog } from "./made_log.mjs";

const TABS = 10; // a browser has six connections to one server
const STREAMS = 16; // of events, at once, for all browsers

needView();
const browser = await openBrowser();
const log = await writeLog(temporary("made.jsonl"));
const server = await serve(log);
const origin = new URL(server.url).origin;
const keyless = { hasToken: false };

const ready = async (page) => {
	await page.waitForSelector("#legend-rows tr");
	await settled(page);
};
const isLocked = async (page, words) => {
	await page.waitForSelector("#locked:not([hidden])");
	assert.match(await page.textContent("#locked-why"), words);
	assert.match(await page.textContent("#locked"), /Press Enter in the terminal .*pmon view/);
	assert.ok(await page.isHidden("main"));
	assert.equal(await page.locator("#legend-rows tr").count(), 0);
};

// ---- The key ------------------------------------------------------------------------------------

const first = await openPage(browser, server.address, keyless);

await step("the address opens the page, and its key is gone from it", async () => {
	await ready(first.page);
	assert.match(server.address, /\?key=[0-9a-f]{32}$/);
	assert.equal(new URL(first.page.url()).search, "");
	assert.ok(!(await first.page.content()).includes(new URL(server.address).searchParams.get("key")));
	assert.deepEqual(await first.context.cookies(), []);
	assert.deepEqual(first.errors, []);
});

await step("it opens no other browser", async () => {
	for (const [url, words] of [
		[server.address, /already used/],
		[`${server.url}?key=${"0".repeat(32)}`, /already used/],
		[server.url, /no key/],
	]) {
		const other = await openPage(browser, url, keyless);
		await isLocked(other.page, words);
		assert.equal(new URL(other.page.url()).search, "");
		await other.context.close();
	}
});

await step("the tab can be loaded again, by its address too", async () => {
	await first.page.reload();
	await ready(first.page);
	await first.page.goto(server.address);
	await ready(first.page);
});

await step("a bookmark opens in another tab of the same browser", async () => {
	const bookmark = first.page.url().replace("view=panels", "view=line");
	const other = await openTab(first.context, bookmark);
	await ready(other.page);
	assert.equal(addressOf(other.page, "view"), "line");
	assert.deepEqual(other.errors, []);
	await other.page.close();
	await first.page.goto("about:blank");
	const alone = await openTab(first.context, bookmark);
	await isLocked(alone.page, /no other tab/);
	await first.page.goto(server.url); // the tab has kept the secret
	await ready(first.page);
	await alone.page.click("#locked-again");
	await ready(alone.page);
	assert.equal(addressOf(alone.page, "view"), "line");
	await alone.page.close();
});

await step("values are saved as files, without a link that has the secret", async () => {
	await first.page.keyboard.press("e");
	const [download] = await Promise.all([
		first.page.waitForEvent("download"),
		first.page.click("[data-export=csv]"),
	]);
	assert.match(download.url(), /^blob:/);
	assert.match(download.suggestedFilename(), /\.csv$/);
});

await step("the file that opens the browser leads to the page", async () => {
	const again = await serve(log);
	const door = temporary("door.html");
	writeFileSync(door, `<!doctype html><meta http-equiv=refresh content="0;url=${again.address}">`);
	const context = await browser.newContext();
	const page = await context.newPage();
	await page.goto(pathToFileURL(door).href);
	await ready(page);
	await context.close();
	await again.stop();
});

// ---- Another server of this machine -------------------------------------------------------------

// What a page of it tries, with the secret and the key in cookies, which all ports of 127.0.0.1 share.
const ATTEMPTS = `
	const at = ${JSON.stringify(origin)};
	const got = {};
	const note = (name) => (what) => (got[name] = String(what));
	const read = (name, options) =>
		fetch(at + "/api/log", options).then((a) => a.text()).then(note(name), () => note(name)("refused"));
	const frame = (src) => { const f = document.createElement("iframe"); f.src = src; document.body.append(f); return f; };
	const load = (tag, src) => new Promise((done) => {
		const e = document.createElement(tag);
		e.onload = () => done("loaded"); e.onerror = () => done("refused");
		e.src = src; document.body.append(e);
	});
	const form = (method, path, target) => {
		const f = Object.assign(document.createElement("form"), { method, action: at + path, target });
		f.innerHTML = "<input name=name value=x>"; document.body.append(f); f.submit();
	};
	const socket = () => new Promise((done) => {
		const s = new WebSocket(at.replace("http", "ws") + "/api/events");
		s.onopen = () => done("open"); s.onerror = () => done("refused");
	});
	const events = () => new Promise((done) => {
		const e = new EventSource(at + "/api/events", { withCredentials: true });
		e.onopen = () => done("open"); e.onerror = () => done("refused");
	});
	(async () => {
		await read("cors", { credentials: "include" });
		await read("header", { headers: { Authorization: "Bearer x" } });
		await read("opaque", { credentials: "include", mode: "no-cors" });
		note("post")(await fetch(at + "/api/enter", { method: "POST", mode: "no-cors" }).then((a) => a.type, () => "refused"));
		note("script")(await load("script", at + "/api/log"));
		note("module")(await load("script", at + "/main.js"));
		note("image")(await load("img", at + "/icon.svg"));
		note("socket")(await socket());
		note("events")(await events());
		for (const name of ["a", "b", "c"]) { const f = document.createElement("iframe"); f.name = name; document.body.append(f); }
		form("post", "/api/compare", "a"); form("post", "/api/enter", "b"); form("get", "/api/log", "c");
		const framed = frame(at + "/");
		await new Promise((done) => (framed.onload = done));
		try { note("frame")(framed.contentDocument ? framed.contentDocument.body.textContent : "refused"); } catch { note("frame")("refused"); }
		// Tabs of the real page answer tabs of their own origin alone.
		const channel = new BroadcastChannel("pmon");
		note("channel")(await new Promise((done) => {
			channel.onmessage = ({ data }) => done(JSON.stringify(data));
			channel.postMessage({ asks: true });
			setTimeout(() => done("refused"), 1000);
		}));
		window.got = got;
	})();`;

const stranger = createServer((request, response) => {
	response.setHeader("Content-Type", "text/html");
	response.setHeader("Set-Cookie", [`pmon=${TOKEN}; Path=/`, `token=${TOKEN}; Path=/`]);
	response.end(`<!doctype html><title>another server</title><body><script>${ATTEMPTS}</script>`);
});
await new Promise((done) => stranger.listen(0, "127.0.0.1", done));

await step("a page on another port of this machine gets nothing", async () => {
	const page = await first.context.newPage();
	const answers = [];
	page.on("response", (answer) => {
		if (answer.url().startsWith(origin)) answers.push(`${answer.status()} ${answer.request().method()} ${answer.url()}`);
	});
	await page.goto(`http://127.0.0.1:${stranger.address().port}/`);
	await page.waitForFunction(() => window.got);
	const got = await page.evaluate(() => window.got);
	assert.ok(["", "refused"].includes(got.opaque), got.opaque); // an opaque answer has no text
	assert.ok(["opaque", "refused"].includes(got.post), got.post);
	delete got.opaque, delete got.post;
	for (const [name, what] of Object.entries(got)) assert.equal(what, "refused", name);
	assert.ok(answers.length >= 4, answers.join("\n"));
	for (const answer of answers) assert.match(answer, /^(400|403|405) /);
	await page.close();
});

await step("nor does it by leading the browser to pmon", async () => {
	const page = await first.context.newPage();
	await page.goto(`http://127.0.0.1:${stranger.address().port}/`);
	const [answer] = await Promise.all([
		page.waitForResponse((one) => one.url() === server.url),
		page.evaluate((url) => location.assign(url), server.url),
	]);
	assert.equal(answer.status(), 403);
	assert.match(await page.textContent("h1"), /another page/);
	const opened = first.context.waitForEvent("page");
	await page.goto(`http://127.0.0.1:${stranger.address().port}/`);
	await page.evaluate((url) => void (window.other = open(url)), server.url);
	const other = await opened;
	await other.waitForLoadState();
	assert.match(await other.textContent("h1"), /another page/);
	assert.equal(await page.evaluate(() => window.other.closed), true); // it has no hold of the window
	await other.close();
	await page.close();
});
stranger.close();
await first.context.close();
await server.stop();

// ---- Tabs ---------------------------------------------------------------------------------------

// A few counters: the requests of all these tabs, each second, would take a busy machine longer than a second.
const live = await serve("-i", "1s", "-c", "\\Processor(_Total)\\*", "-c", "\\System\\*");
const tabs = [await openPage(browser, live.url)];
for (let i = 1; i < TABS; i++) tabs.push(await openTab(tabs[0].context, live.url));

const samplesOf = (page) =>
	page.evaluate(() => Number(/([\d\u2009]+) samples/.exec(document.getElementById("window").textContent)[1].replace(/\D/g, "")));
const grows = async ({ page }) => {
	await page.waitForFunction(() => / samples$/.test(document.getElementById("window").textContent));
	const before = await samplesOf(page);
	await page.waitForFunction(
		(least) =>
			Number(/([\d\u2009]+) samples/.exec(document.getElementById("window").textContent)?.[1].replace(/\D/g, "")) > least,
		before,
	);
};

await step(`${TABS} tabs that are seen get new samples, and answers`, async () => {
	await Promise.all(tabs.map(grows));
	await Promise.all(
		tabs.map(async ({ page }) => {
			await page.keyboard.press("+");
			await settled(page);
			assert.ok(addressOf(page, "from"));
			await page.keyboard.press("0");
		}),
	);
	await Promise.all(tabs.map(grows));
	for (const { errors } of tabs) assert.deepEqual(errors, []);
});

await step("a browser without shared workers has its stream in the tab", async () => {
	const context = await browser.newContext();
	await context.addInitScript((token) => {
		delete window.SharedWorker;
		sessionStorage.setItem("pmon-secret", token);
	}, TOKEN);
	const alone = await openTab(context, live.url);
	await grows(alone);
	assert.deepEqual(alone.errors, []);
	await context.close();
});

// How many further streams of events the server has room for.
async function freeStreams() {
	const { host, hostname, port } = new URL(live.url);
	const head = `GET /api/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
	const sockets = [];
	let free = 0;
	for (let i = 0; i < STREAMS; i++) {
		const socket = connect(Number(port), hostname, () => socket.write(head));
		const line = await new Promise((done) => socket.once("data", done));
		free += /^HTTP\/1.1 200/.test(line);
		sockets.push(socket);
	}
	for (const socket of sockets) socket.destroy();
	return free;
}

// Until it is so, which the end of a stream takes a second for.
async function comesToBe(wanted) {
	for (;;) {
		const free = await freeStreams();
		if (free === wanted) return;
		console.log(`      ${free} free, not ${wanted} yet`);
		await new Promise((done) => setTimeout(done, 1500));
	}
}

const show = (page, isShown) =>
	page.evaluate((isShown) => {
		Object.defineProperty(document, "hidden", { configurable: true, get: () => !isShown });
		document.dispatchEvent(new Event("visibilitychange"));
	}, isShown);

await step("they share one stream, and those that are hidden have none", async () => {
	await comesToBe(STREAMS - 1);
	for (const { page } of tabs) await show(page, false);
	await comesToBe(STREAMS);
	const [{ page }] = tabs;
	const before = await samplesOf(page);
	await show(page, true);
	await page.waitForFunction(
		(least) =>
			Number(/([\d\u2009]+) samples/.exec(document.getElementById("window").textContent)?.[1].replace(/\D/g, "")) > least,
		before,
	);
	await comesToBe(STREAMS - 1);
});

await step("every tab says that the server has ended", async () => {
	await show(tabs[0].page, true);
	await live.stop();
	await tabs[0].page.waitForFunction(() => /does not respond/.test(document.getElementById("banner").textContent));
});

await browser.close();
finish();
