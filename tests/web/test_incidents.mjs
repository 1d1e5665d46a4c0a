// test_incidents.mjs - the page opens on what was wrong: chips, the card, keys, links, and what is left alone
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { addressOf, finish, openPage, openReady, openView, pmonJson, settled, step, stepNoErrors, temporary } from "./lib.mjs";

const STEP_S = 15;
const START_MS = Date.parse("2026-03-09T08:00:00Z");
const SAMPLES = 960; // four hours
const TROUBLES = [
	{ from: 200, to: 240, busy: 99, process: "backupd" },
	{ from: 600, to: 660, busy: 97, process: "indexer" },
];

const stamp = (i, set_s = 0) => new Date(START_MS + (i * STEP_S + set_s) * 1000).toISOString().replace(/(\d+)-(\d+)-(\d+)T(.*)Z/, "$2/$3/$1 $4");
const noise = (i, k) => ((i * 7919 + k * 104729) % 1000) / 1000;

// A quiet machine with eight processors, on which a process uses all of them for some minutes.
// set_s: how far its clock is set before line 220, in the first of them.
function textLog(troubles, set_s = 0) {
	const processes = ["sqlservr", "backupd", "indexer"];
	const paths = [
		"\\Processor(_Total)\\% Processor Time",
		"\\System\\Processor Queue Length",
		"\\Memory\\Available MBytes",
		...processes.map((name) => `\\Process(${name})\\% Processor Time`),
	];
	const rows = [["(PDH-CSV 4.0) (UTC)(0)", ...paths.map((path) => `\\\\SRV${path}`)]];
	for (let i = 0; i < SAMPLES; i++) {
		const now = troubles.find(({ from, to }) => i > from && i <= to);
		const busy = now ? now.busy : 15 + 5 * noise(i, 1);
		const used = processes.map((name, k) => (name === now?.process ? 620 : 20 + 8 * noise(i, k + 2)));
		rows.push([stamp(i, i < 220 ? 0 : set_s), busy, now ? 40 : Math.round(noise(i, 9)), 8000 + 20 * noise(i, 5), ...used]);
	}
	return rows.map((row) => row.map((cell) => `"${cell}"`).join(",")).join("\r\n") + "\r\n";
}

function written(name, troubles, set_s) {
	writeFileSync(temporary(name), textLog(troubles, set_s));
	return temporary(name);
}

const log = written("busy.csv", TROUBLES);
const told = (await pmonJson("health", "--format", "json", log)).incidents;
const { browser, server, page, errors } = await openView([log]);
const chips = (of = page) => of.locator(".chip");
const momentOf = (i) => START_MS + i * STEP_S * 1000;
const isOpen = async (n, of = page) => {
	await of.waitForFunction((n) => document.querySelectorAll(".chip")[n]?.ariaPressed === "true", n);
	await settled(of);
};

await step("opens on the gravest, with before and after, its cause and its counters", async () => {
	await isOpen(0);
	assert.equal(told.length, 2);
	assert.equal(await chips().count(), told.length);
	const [from, to] = [Date.parse(await addressOf(page, "from")), Date.parse(await addressOf(page, "to"))];
	const middle = (Date.parse(told[0].from) + Date.parse(told[0].to)) / 2;
	const trouble = TROUBLES.find((one) => momentOf(one.from) < middle && middle < momentOf(one.to));
	assert.ok(from < momentOf(trouble.from) && to > momentOf(trouble.to), "the window has it and more");
	assert.ok(to - from < 4 * (momentOf(trouble.to) - momentOf(trouble.from)), "and not much more");
	const card = await page.locator("#incident").innerText();
	const bare = (text) => text.replace(/ \((usually|limit).*/, ""); // which have a place of their own
	for (const part of [told[0].headline, ...told[0].effects.slice(0, 1)].map(bare).concat(trouble.process, "Critical"))
		assert.ok(card.includes(part), `${part} in ${card}`);
	const names = await page.$$eval("#legend-rows .name", (list) => list.map(({ title }) => title));
	for (const { path } of [...told[0].evidence, ...told[0].who]) assert.ok(names.includes(path), path);
});

// What the page draws of processes: the stack, and the lines outside of it.
const stackOf = (of = page) =>
	of.evaluate(async () => {
		const [{ plotNow }, { drawPlot }, { SvgSurface }] = await Promise.all(
			["/chart.js", "/plot.js", "/surface.js"].map((name) => import(name)),
		);
		const { panels, outer } = plotNow();
		const surface = new SvgSurface(outer.width, outer.height);
		drawPlot(surface, plotNow());
		const isProcess = ({ counter }) => counter.series.object === "Process";
		const layers = panels.find(({ isStack }) => isStack)?.lines ?? [];
		return {
			at: panels.findIndex(({ isStack }) => isStack),
			title: panels.find(({ isStack }) => isStack)?.title,
			high: panels.find(({ isStack }) => isStack)?.axis.high,
			alone: panels.filter(({ isStack }) => !isStack).flatMap(({ lines }) => lines.filter(isProcess)).length,
			layers: layers.map(({ mean, factor, stacked, counter }) => ({
				name: counter.series.instance,
				own: mean.map((value) => value * factor),
				base: stacked.base,
				top: stacked.mean,
			})),
			texts: surface.parts.filter((part) => part.startsWith("<text")).map((part) => part.replace(/<[^>]*>/g, "")),
		};
	});

await step("processes are one panel, on top of each other, the culprit with its name", async () => {
	const { at, title, high, alone, layers, texts } = await stackOf();
	assert.deepEqual([at, title, alone], [0, "CPU by process", 0]);
	assert.deepEqual(layers.map(({ name }) => name).sort(), ["backupd", "indexer", "sqlservr"]);
	assert.equal(layers.at(-1).name, told[0].who[0].instance, "what varies most is on top");
	const sums = layers[0].base.map(() => 0);
	for (const { own, base, top } of layers)
		own.forEach((value, i) => {
			assert.ok(Math.abs(base[i] - sums[i]) < 1e-6);
			sums[i] += value;
			assert.ok(Math.abs(top[i] - sums[i]) < 1e-6);
		});
	assert.ok(Math.max(...sums) <= high, "nothing is clipped");
	assert.ok(texts.includes(told[0].who[0].instance), `a label in ${texts.slice(0, 40)}`);
	await page.keyboard.press("4");
	await settled(page);
	assert.equal((await stackOf()).at, -1, "lines, in the classic view");
	await page.keyboard.press("1");
	await settled(page);
});

await step("what is usual is drawn behind each line: the percentiles 5 and 95 outside of the incident", async () => {
	const { found, shown } = await page.evaluate(async () => {
		const [{ usualOf }, { state }] = await Promise.all(["/usual.js", "/state.js"].map((name) => import(name)));
		const found = state.counters.map(({ series, path }) => ({ path, band: usualOf(series.id) }));
		return { found, shown: document.getElementById("values").textContent };
	});
	const busy = found.find(({ path }) => path.endsWith("Processor(_Total)\\% Processor Time"));
	const outside = Array.from({ length: SAMPLES }, (_, i) => i)
		.filter((i) => told.every(({ from, to }) => momentOf(i) < Date.parse(from) || momentOf(i) > Date.parse(to)))
		.map((i) => 15 + 5 * noise(i, 1))
		.sort((a, b) => a - b);
	const at = (part) => outside[Math.floor(part * outside.length)];
	assert.ok(Math.abs(busy.band.low - at(0.05)) < 0.01 * at(0.05), `${busy.band.low} ${at(0.05)}`);
	assert.ok(Math.abs(busy.band.high - at(0.95)) < 0.01 * at(0.95), `${busy.band.high} ${at(0.95)}`);
	assert.match(shown, /usually/);
});

await step("a counter that the incident did not touch is in the row below the panels", async () => {
	const { unchanged, titles } = await page.evaluate(async () => {
		const { plotNow } = await import("/chart.js");
		const { unchanged, panels } = plotNow();
		return { unchanged: unchanged.map(({ counter }) => counter.path), titles: panels.map(({ title }) => title) };
	});
	assert.deepEqual(unchanged, ["\\\\SRV\\Memory\\Available MBytes"]);
	assert.ok(titles.every((title) => !/Memory/.test(title)), titles.join());
	assert.match(await page.textContent("#unchanged"), /^Unchanged: Available MBytes/);
});

await step("Why? and What else changed? open next to the evidence, and Escape returns the focus", async () => {
	for (const [name, drawer] of [["why", "#why"], ["changes", "#changes"]]) {
		await page.click(`[data-key="tool ${name}"]`);
		await page.waitForSelector(`${drawer}[open]`);
		await settled(page);
		const [evidence, box] = [await page.locator("#plot").boundingBox(), await page.locator(drawer).boundingBox()];
		assert.ok(evidence.x + evidence.width <= box.x, "the drawer is not over the chart");
		await page.keyboard.press("Escape");
		await page.waitForSelector(drawer, { state: "hidden" });
		assert.equal(await page.evaluate(() => document.activeElement.dataset.key), `tool ${name}`);
	}
	await settled(page);
});

await step("n and p go through all of them", async () => {
	for (const [key, n] of [["n", 1], ["n", 0], ["p", 1], ["p", 0]]) {
		await page.keyboard.press(key);
		await isOpen(n);
		assert.equal(await addressOf(page, "incident"), told[n].id);
	}
});

await step("a click opens one, back returns to the other, a link to it is kept", async () => {
	await chips().nth(1).click();
	await isOpen(1);
	const { page: other } = await openReady(browser, page.url());
	await isOpen(1, other);
	assert.equal(await addressOf(other, "from"), await addressOf(page, "from"));
	await other.context().close();
	await page.goBack();
	await isOpen(0);
});

await step("the whole log closes it", async () => {
	await page.locator("#incident").getByRole("button", { name: "Whole log" }).click();
	await settled(page);
	assert.equal(await addressOf(page, "from"), null);
	assert.ok(await page.locator("#incident").isHidden());
	assert.equal(await chips().count(), told.length);
});

await step("a link that says what to show is left alone", async () => {
	const path = "\\\\SRV\\Memory\\Available MBytes";
	const { page: other } = await openPage(browser, `${server.url}#c=${encodeURIComponent(path)}`);
	await chips(other).first().waitFor();
	await settled(other);
	assert.deepEqual(await other.$$eval("#legend-rows .name", (list) => list.map(({ title }) => title)), [path]);
	assert.equal(await addressOf(other, "incident"), null);
	await other.context().close();
});

for (const [width, height] of [[1440, 900], [390, 844]])
	await step(`${width}: nothing moves when it opens`, async () => {
		const { page: other, context } = await openPage(browser, server.url, { viewport: { width, height } });
		await context.addInitScript(() => {
			window.shifted = 0;
			new PerformanceObserver((list) => {
				for (const one of list.getEntries()) window.shifted += one.value;
			}).observe({ type: "layout-shift", buffered: true });
		});
		await other.goto("about:blank");
		await other.goto(server.url);
		await isOpen(0, other);
		await other.waitForSelector("#legend-rows tr");
		const shifted = await other.evaluate(() => window.shifted);
		assert.ok(shifted < 0.1, String(shifted));
		await context.close();
	});

await step("an incident in which the clock was set back has its length, and all that is asked for it is there", async () => {
	const back = await openView([written("back.csv", [TROUBLES[0]], -3600)]);
	await isOpen(0, back.page);
	const text = await back.page.locator("#incident").innerText();
	assert.match(text, /08:50:00 – 08:00:00, 10 min/);
	assert.match(text, /backupd/);
	const [from, to] = [await addressOf(back.page, "from"), await addressOf(back.page, "to")];
	assert.ok(from === null || to === null || Date.parse(from) < Date.parse(to));
	await back.page.locator("#incident").getByRole("button", { name: "What else changed?" }).click();
	await settled(back.page);
	assert.deepEqual(back.errors, []);
	await back.browser.close();
	await back.server.stop();
});

await step("a quiet log says that nothing was wrong, and shows all of it", async () => {
	const quiet = await openView([written("quiet.csv", [])]);
	await quiet.page.waitForFunction(() => document.getElementById("incident").textContent.startsWith("Nothing"));
	assert.equal(await chips(quiet.page).count(), 0);
	assert.equal(await addressOf(quiet.page, "from"), null);
	assert.deepEqual(quiet.errors, []);
	await quiet.browser.close();
	await quiet.server.stop();
});

await stepNoErrors(errors);
await browser.close();
await server.stop();
finish();
