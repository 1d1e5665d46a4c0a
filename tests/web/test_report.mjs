// test_report.mjs - a report in a browser: complete without scripts, with a crosshair where they run, whole on paper
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { finish, openBrowser, pmon, step, temporary } from "./lib.mjs";

// An hour at 15 s. The disk takes 60 ms for ten minutes from 10:20 on, else 4 ms; the processor is at 20 %.
const rows = [];
for (let i = 0; i <= 240; i++) {
	const at = new Date(Date.UTC(2026, 10, 20, 10) + i * 15000).toISOString();
	const stamp = `${at.slice(5, 7)}/${at.slice(8, 10)}/${at.slice(0, 4)} ${at.slice(11, 23)}`;
	rows.push(`"${stamp}","${i > 80 && i <= 120 ? 0.06 : 0.004}","20"`);
}
const head = '"(PDH-CSV 4.0) (UTC)(0)","\\\\A<b>\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read","\\\\A<b>\\Processor(_Total)\\% Processor Time"';
const log = temporary("hour.csv");
const report = temporary("hour.html");
writeFileSync(log, [head, ...rows, ""].join("\r\n"));
execFileSync(pmon, ["report", "-o", report, log], { stdio: "ignore" });
// 30 hours at two minutes, which have hours next to each other, and a log to compare with.
const lines = [];
for (let i = 0; i <= 900; i++) {
	const at = new Date(Date.UTC(2026, 10, 20) + i * 120000).toISOString();
	lines.push(`"${at.slice(5, 7)}/${at.slice(8, 10)}/${at.slice(0, 4)} ${at.slice(11, 23)}","${i > 700 ? 0.06 : 0.004}","${i % 97}"`);
}
const long = temporary("long.csv");
const longReport = temporary("long.html");
writeFileSync(long, [head, ...lines, ""].join("\r\n"));
execFileSync(pmon, ["report", "-o", longReport, "--baseline", log, long], { stdio: "ignore" });
// Three times of trouble in an hour.
const thrice = temporary("thrice.csv");
const thriceReport = temporary("thrice.html");
const isBad = (i) => [20, 100, 180].some((from) => i > from && i <= from + 20);
writeFileSync(thrice, [head, ...rows.map((row, i) => row.replace(/"0\.\d+"/, `"${isBad(i) ? 0.06 : 0.004}"`)), ""].join("\r\n"));
execFileSync(pmon, ["report", "-o", thriceReport, thrice], { stdio: "ignore" });
// Four hours of a machine with eight times of trouble: each disk takes 60 ms for 8 minutes after another, and one process
// uses the processor.
const machine = temporary("machine.csv");
const machineReport = temporary("machine.html");
const DISKS = 7;
const names = [...Array(12).keys()].map((i) => `app${i}`);
const columns = [
	"Processor(_Total)\\% Processor Time",
	"System\\Processor Queue Length",
	"Memory\\Available MBytes",
	...[...Array(DISKS).keys()].map((i) => `PhysicalDisk(${i} ${"CDEFGHI"[i]}:)\\Avg. Disk sec/Read`),
	...names.flatMap((name) => [`Process(${name})\\% Processor Time`, `Process(${name})\\Working Set`]),
];
const samples = [];
for (let i = 0; i <= 960; i++) {
	const at = new Date(Date.UTC(2026, 10, 20, 8) + i * 15000).toISOString();
	const noise = (k) => ((i * 7919 + k * 104729) % 101) / 100;
	const isBusy = i > 900 && i <= 940;
	const bad = (k) => i > 100 + k * 100 && i <= 132 + k * 100;
	const values = [
		(isBusy ? 96 : 20) + noise(1),
		isBusy ? 30 : Math.round(noise(2)),
		8000 + 100 * noise(3),
		...[...Array(DISKS).keys()].map((k) => (bad(k) ? 0.06 : 0.004) + noise(k) / 1000),
		...names.flatMap((_, k) => [(isBusy && k === 3 ? 300 : 5) + noise(k), 1e8 * (k + 1)]),
	];
	samples.push(`"${at.slice(5, 7)}/${at.slice(8, 10)}/${at.slice(0, 4)} ${at.slice(11, 23)}",${values.map((value) => `"${value}"`).join(",")}`);
}
writeFileSync(machine, [`"(PDH-CSV 4.0) (UTC)(0)",${columns.map((path) => `"\\\\SRV\\${path}"`).join(",")}`, ...samples, ""].join("\r\n"));
execFileSync(pmon, ["report", "-o", machineReport, machine], { stdio: "ignore" });
const browser = await openBrowser();

async function open(options, file = report) {
	const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, offline: true, ...options });
	const page = await context.newPage();
	const errors = [];
	page.setDefaultTimeout(5000);
	page.on("pageerror", (error) => errors.push(error.stack));
	page.on("console", (message) => errors.push(message.text()));
	page.on("request", (request) => /^(http|ws)/.test(request.url()) && errors.push(request.url()));
	await page.goto(`file://${file}`);
	return { page, errors };
}

// From the time of the log to the pixels of a picture of 960, where panels begin at 76 and are 864 wide, while it shows
// from minute `from` to minute `to` of the hour.
const placeOf = (minute, from, to) => 76 + (864 * (minute - from)) / (to - from);

// Where a point of the drawn line, which was made for the whole hour, is now.
const drawnAt = (page, minute) =>
	page.evaluate((x) => {
		const part = document.querySelector("#finding-0 .series");
		const matrix = part.transform.baseVal.consolidate()?.matrix;
		return matrix ? x * matrix.a + matrix.e : x;
	}, placeOf(minute, 0, 60));

for (const viewport of [{ width: 1440, height: 900 }, { width: 1024, height: 768 }, { width: 390, height: 844 }])
	for (const way of ["pointer", "keyboard"])
		await step(`${viewport.width}, ${way}: a finding leads to its card and its time, and back`, async () => {
			const { page, errors } = await open({ viewport });
			const readout = page.locator("#finding-0 .readout");
			const start = page.locator("#finding-0 .picture");
			if ((await start.count()) === 0) return; // no cairo: no picture
			const [first, last, whole] = [/ 10:15:\d\d .* 4 ms$/, / 10:34:\d\d .* 4 ms$/, / 10:59:\d\d .* 4 ms$/];
			async function lead() {
				if (way === "pointer") await page.locator(".timeline .lane .critical").first().click();
				else await page.locator(".timeline a").first().press("Enter");
			}
			async function isZoomed() {
				assert.match(await page.locator(".shown").innerText(), /2026-11-20 10:15:00 – 10:35:00/);
				// Ten minutes of trouble from 10:20 on, with half as much on both sides.
				assert.ok(Math.abs((await drawnAt(page, 20)) - placeOf(20, 15, 35)) < 1);
				assert.ok(Math.abs((await drawnAt(page, 30)) - placeOf(30, 15, 35)) < 1);
				const ticks = await page.locator("#finding-0 svg text").evaluateAll((all) =>
					all.filter((text) => text.getClientRects().length > 0 && /^\d\d:\d\d$/.test(text.textContent)).map((text) => [text.textContent, Number(text.getAttribute("x"))]));
				assert.ok(ticks.length > 3);
				for (const [text, x] of ticks) assert.ok(Math.abs(x - placeOf(Number(text.slice(3)), 15, 35)) <= 1, `${text} at ${x}`);
			}
			async function isWhole() {
				assert.equal(await page.locator(".shown").isVisible(), false);
				assert.equal(await drawnAt(page, 20), placeOf(20, 0, 60));
				assert.equal(await page.locator("#finding-0 .times").isVisible(), true);
			}
			await lead();
			assert.match(await readout.textContent(), /^2026-11-20 10:2\d:\d\d {2}Avg\. Disk sec\/Read 0 C: 60 ms$/);
			await isZoomed();
			await page.keyboard.press("Home");
			assert.match(await readout.textContent(), first);
			await page.keyboard.press("End");
			assert.match(await readout.textContent(), last);
			await page.keyboard.press("Escape");
			await isWhole();
			await start.focus();
			await page.keyboard.press("End");
			assert.match(await readout.textContent(), whole);
			await page.goBack();
			await isZoomed();
			await page.goBack();
			await isWhole();
			await lead();
			if (way === "pointer") await page.locator(".shown button").click();
			else await page.locator(".shown button").press("Enter");
			await isWhole();
			assert.deepEqual(errors, []);
		});

await step("an incident leads to its card, which has its chart", async () => {
	const { page, errors } = await open({});
	const card = page.locator("#incident-0");
	if ((await card.locator("svg").count()) === 0) return;
	await page.locator(".incidents a").first().click();
	assert.ok((await card.boundingBox()).y < 400);
	// From 10:20 to 10:30, with as much before and after it: a third of 864 pixels is grey.
	const shade = card.locator("svg path[style*='--muted'][style*='.14']").first();
	const width = await shade.evaluate((path) => path.getBBox().width);
	assert.ok(Math.abs(width - 288) <= 10, `${width} wide`);
	assert.match(await card.innerText(), /10:20:00 – 10:30:00, 10 min/);
	assert.deepEqual(errors, []);
});

await step("each episode can be reached by keys", async () => {
	const { page, errors } = await open({}, thriceReport);
	if ((await page.locator("#finding-0 .picture").count()) === 0) return;
	// A warning and a critical episode each time; arrows go from one to the next in time.
	const times = await page.locator(".timeline .lane > *").evaluateAll((all) => all.map((bar) => Number(bar.dataset.from)).sort());
	const focused = () => page.evaluate(() => Number(document.activeElement.dataset.from));
	assert.equal(times.length, 6);
	await page.locator(".timeline a").first().focus();
	await page.keyboard.press("Tab");
	for (const time of times) {
		assert.equal(await focused(), time);
		await page.keyboard.press("ArrowRight");
	}
	for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowLeft");
	const from = times.at(-3);
	assert.equal(await focused(), from);
	await page.keyboard.press("Enter");
	const [, time] = /Charts show (\S+ \S+)/.exec(await page.locator(".shown").innerText());
	const begins = Date.parse(`${time.replace(" ", "T")}Z`);
	assert.ok(begins <= from && begins > from - 600e3, `${time} for ${from}`);
	assert.deepEqual(errors, []);
});

await step("a link within the page keeps what charts show", async () => {
	const { page, errors } = await open({});
	if ((await page.locator("#finding-0 .picture").count()) === 0) return;
	await page.locator(".timeline a").first().click();
	await page.locator('nav a[href="#glossary"]').click();
	assert.match(await page.locator(".shown").innerText(), /10:15:00/);
	await page.goBack();
	assert.match(await page.locator(".shown").innerText(), /10:15:00/);
	await page.goBack();
	assert.equal(await page.locator(".shown").isVisible(), false);
	assert.deepEqual(errors, []);
});

await step("the pointer shows the values at its place", async () => {
	const { page, errors } = await open({});
	const picture = page.locator("#finding-0 .picture svg");
	if ((await picture.count()) === 0) return;
	await picture.scrollIntoViewIfNeeded();
	const box = await picture.boundingBox();
	// Panels of 960 begin at 76 and end 20 before the right edge: 10:25 is at 25/60 of what is between.
	await page.mouse.move(box.x + (box.width * (76 + (864 * 25) / 60)) / 960, box.y + box.height / 2);
	assert.match(await page.locator("#finding-0 .readout").textContent(), / 10:2[45]:\d\d .* 60 ms$/);
	assert.deepEqual(errors, []);
});

await step("without scripts it is complete, and says nothing of them", async () => {
	const { page } = await open({ javaScriptEnabled: false });
	const text = await page.locator("body").innerText();
	for (const part of ["1 critical incident", "A<b>", "60 ms", "Glossary"]) assert.ok(text.includes(part), part);
	assert.equal(await page.locator(".readout, .shown").count(), 0);
});

for (const [paper, width, height] of [["A4", 180, 267], ["Letter", 186, 249]])
	await step(`${paper}: nothing is cut, no figure is higher than a page, links are written out`, async () => {
		const px = (mm) => Math.floor((mm / 25.4) * 96);
		const { page } = await open({ viewport: { width: px(width), height: px(height) } });
		await page.emulateMedia({ media: "print" });
		const found = await page.evaluate((most) => {
			const right = document.documentElement.clientWidth;
			const shown = [...document.querySelectorAll("main *")].filter((node) => node.getClientRects().length);
			return {
				wide: shown.filter((node) => node.getBoundingClientRect().right > right + 1).map((node) => node.outerHTML.slice(0, 80)),
				high: shown.filter((node) => node.matches("figure,article,.top") && node.offsetHeight > most).length,
				link: getComputedStyle(document.querySelector(".source a"), "::after").content,
				split: shown.filter((node) => node.matches("figure,article") && getComputedStyle(node).breakInside !== "avoid").length,
				orphans: shown.filter((node) => node.matches("h2,h3") && getComputedStyle(node).breakAfter !== "avoid").length,
			};
		}, px(height));
		assert.match(found.link, /https:/);
		assert.deepEqual({ ...found, link: "" }, { wide: [], high: 0, link: "", split: 0, orphans: 0 });
		const pdf = await page.pdf({ format: paper });
		assert.ok(pdf.subarray(0, 5).toString() === "%PDF-");
	});

await step("four hours with eight incidents: six cards, three on a page, at most six pages", async () => {
	const told = JSON.parse(execFileSync(pmon, ["health", "--format", "json", machine])).incidents;
	assert.equal(told.length, 8);
	const { page } = await open({ viewport: { width: 680, height: 1009 } }, machineReport); // what A4 has within its margins
	assert.equal(await page.locator(".incidents tbody tr").count(), 8);
	assert.deepEqual(
		await page.locator("article.incident h3").evaluateAll((all) => all.map((h3) => h3.lastChild.textContent.trim())),
		told.slice(0, 6).map(({ headline }) => headline),
	);
	await page.emulateMedia({ media: "print" });
	const heights = await page.locator("article.incident").evaluateAll((all) => all.map((card) => card.offsetHeight));
	assert.ok(Math.max(...heights) <= 1009 / 3, `cards are ${heights} high`);
	const pdf = await page.pdf({ format: "A4" });
	const pages = pdf.toString("latin1").match(/\/Type\s*\/Page[^s]/g).length;
	assert.ok(pages >= 2 && pages <= 6, `${pages} pages`);
});

let axe = null;
try {
	axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
} catch {
	console.log("axe-core is not here: tools/setup check brings it");
}
for (const colorScheme of ["light", "dark"])
	await step(`${colorScheme}: axe-core finds nothing in hours and differences`, async () => {
		if (axe === null) return;
		const { page, errors } = await open({ colorScheme }, longReport);
		assert.equal(await page.locator("#hours .h5, #baseline .differences").count() > 1, true);
		await page.evaluate(axe);
		const found = await page.evaluate(async () =>
			(await globalThis.axe.run(document, { resultTypes: ["violations"] })).violations.map(({ id }) => id),
		);
		assert.deepEqual(found, []);
		assert.deepEqual(errors, []);
	});

await browser.close();
finish();
