// test_page.mjs - pmon.html in a browser, from the disk: its numbers are those of the command, and it has no network
// SPDX-License-Identifier: MIT
//
//	node test_page.mjs PAGE FOLDER		PMON_BIN is a native build, FOLDER has logs and other files

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

import { finish, openBrowser, picture, pmon, settled, step, temporary } from "../web/lib.mjs";
import { writeLog } from "../web/made_log.mjs";

const [file, folder] = process.argv.slice(2);
const address = pathToFileURL(file).href;
const FIGURES = ["last", "average", "minimum", "maximum"];
const made = await writeLog(temporary("made.jsonl"));
const browser = await openBrowser();

const asked = []; // requests that are not for the page itself
const errors = [];

async function openPage(options = {}) {
	const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true, ...options });
	context.on("request", (request) => /^(data|blob):/.test(request.url()) || asked.push(request.url()));
	const page = await context.newPage();
	page.setDefaultTimeout(120000);
	page.on("pageerror", (error) => errors.push(error.stack));
	page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()));
	await page.goto(address);
	await page.waitForSelector("#opening");
	return page;
}

// Opens logs and waits until they are read and their first counters are shown; answers why that failed, or null.
async function open(page, ...files) {
	await page.setInputFiles("#open-file", files);
	await page.waitForFunction(
		() => document.getElementById("opening-error")?.textContent || document.querySelector("#legend-rows tr"),
	);
	if (await page.$("#opening")) return page.textContent("#opening-error");
	await page.waitForFunction(() => document.getElementById("loading").hidden);
	await settled(page);
	return null;
}

const numbersOf = (page) =>
	page.$$eval(
		"#legend-rows tr",
		(rows, figures) =>
			rows.map((row) => [
				row.querySelector(".name").title,
				...figures.map((figure) => row.querySelector(`td.${figure} [data-value]`)?.dataset.value ?? null),
			]),
		FIGURES,
	);

function native(...words) {
	try {
		return execFileSync(pmon, words, { env: { TZ: "UTC" }, stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 30 }).toString();
	} catch (error) {
		return error.status === 3 ? error.stdout.toString() : ""; // damaged, but read; or not
	}
}

// By path, as texts; a path may have several rows, one for each process of the name.
function statsOf(...files) {
	const { counters } = JSON.parse(native("stats", "--format", "json", ...files));
	return counters.map((row) => JSON.stringify([row.path, ...FIGURES.map((figure) => (row[figure] === null ? null : String(row[figure])))]));
}

const logs = readdirSync(folder, { recursive: true })
	.map((name) => join(folder, name))
	.filter((path) => statSync(path).isFile() && native("stats", "--format", "json", path) !== "");

// The command finds the names of a raw block in the file next to it; the page gets one file.
function aloneOf(file) {
	const alone = temporary(`log-${logs.indexOf(file)}-${basename(file)}`);
	copyFileSync(file, alone);
	return alone;
}

for (const log of [made, ...logs])
	await step(`${basename(log)}: the numbers of pmon stats`, async () => {
		const page = await openPage();
		assert.equal(await open(page, log), null);
		const shown = await numbersOf(page);
		const expected = new Set(statsOf(aloneOf(log)));
		assert.ok(shown.length > 0);
		for (const row of shown) assert.ok(expected.has(JSON.stringify(row)), `${row}`);
		await page.context().close();
	});

await step("what is no log ends with a message, and another log can be opened then", async () => {
	const page = await openPage();
	const foreign = temporary("holiday.gif");
	writeFileSync(foreign, `GIF89a${"x".repeat(3000)}`);
	for (const name of [foreign, temporary("empty.blg")]) {
		if (name !== foreign) writeFileSync(name, "");
		assert.match(await open(page, name), new RegExp(basename(name)));
	}
	assert.equal(await open(page, made), null);
	await page.context().close();
});

await step("several logs are merged; a log is dropped to compare; values are saved; the view is saved as a page", async () => {
	const page = await openPage();
	const second = await writeLog(temporary("second.jsonl"), 40);
	assert.equal(await open(page, made, second), null);
	assert.match(await page.getAttribute("#name", "title"), /made\.jsonl, second\.jsonl/);
	const expected = await numbersOf(page);

	await page.setInputFiles("#compare-file", second);
	await page.waitForFunction(() => /^Dotted: second/.test(document.getElementById("comparison-caption").textContent));

	await page.keyboard.press("e");
	const [values] = await Promise.all([page.waitForEvent("download"), page.click("[data-export=csv]")]);
	await values.saveAs(temporary("values.csv"));
	assert.match(readFileSync(temporary("values.csv"), "utf8"), /^"\(PDH-CSV 4\.0\)/);

	await page.keyboard.press("e");
	const [saved] = await Promise.all([page.waitForEvent("download"), page.click("[data-export=html]")]);
	await saved.saveAs(temporary("saved.html"));
	const text = readFileSync(temporary("saved.html"), "utf8");
	assert.ok(!text.includes('id="module"'));
	await page.goto(pathToFileURL(temporary("saved.html")).href);
	await page.waitForSelector("#legend-rows .maximum button[data-value]");
	assert.deepEqual(await numbersOf(page), expected);
	await page.context().close();
});

await step("pictures at two widths, light and dark", async () => {
	for (const [width, height] of [[1440, 900], [390, 844]])
		for (const colorScheme of ["light", "dark"]) {
			const page = await openPage({ viewport: { width, height }, colorScheme });
			await picture(page, `alone-${width}-${colorScheme}-first`);
			assert.equal(await open(page, made), null);
			assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, "no scrolling sideways");
			await picture(page, `alone-${width}-${colorScheme}`);
			await page.context().close();
		}
});

await step("the policy forbids every request, and none was made", async () => {
	const page = await openPage();
	const policy = await page.getAttribute("meta[http-equiv=Content-Security-Policy]", "content");
	assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+' 'wasm-unsafe-eval'; worker-src blob:; /);
	assert.doesNotMatch(policy, /connect-src|https?:|script-src[^;]*unsafe-inline/);
	assert.deepEqual(asked.filter((url) => url !== address && !url.endsWith("/saved.html")), []);
	assert.deepEqual(errors, []);
});

await browser.close();
finish();
