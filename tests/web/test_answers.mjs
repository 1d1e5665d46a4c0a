// test_answers.mjs - what the page answers: findings, conditions, what changed, the busiest, presets
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { addressOf, data, finish, openView, picture, pmonJson, settled, skip, step, stepNoErrors } from "./lib.mjs";

const log = join(data, "blg/pal-SampleLog.blg");
if (!existsSync(log)) skip("the real logs are not here");

const { browser, server, page, errors } = await openView([log], { viewport: { width: 1440, height: 900 } });
await page.waitForSelector("#episodes .episode");
await settled(page);

const api = (endpoint, parameters) =>
	page.evaluate(async ([name, query]) => (await import("/api.js")).ask(name, query), [endpoint, parameters]);
const windowOptions = () =>
	["from", "to"].flatMap((name) => (addressOf(page, name) ? [`--${name}`, addressOf(page, name)] : []));
const paths = () => page.$$eval("#legend-rows .name", (names) => names.map((name) => name.title));

await step("the findings are those of pmon health, number by number", async () => {
	const { episodes, rules, within, not_judged, beyond } = await api("findings", { set: 0 });
	const health = await pmonJson("health", "--format", "json", log);
	assert.equal(within, health.summary.within);
	assert.equal(not_judged, health.summary.not_judged);
	assert.equal(beyond, health.summary.beyond);
	assert.ok(health.findings.length > 0);
	const own = ["rule", "severity", "pack", "episodes", "beyond_seconds", "text", "advice", "sources"]; // of the finding
	for (const finding of health.findings) {
		// A series that crossed both limits is one finding, of its critical episodes.
		const mine = episodes.filter(
			(one) =>
				rules[one.rule].name === finding.rule && one.path === finding.path && one.severity === finding.severity,
		);
		assert.equal(mine.length, finding.episodes.length);
		const same = mine.find((one) => one.from === finding.from);
		assert.equal(same.severity, finding.severity);
		assert.equal(same.who_ids.length, finding.who.length);
		for (const field of Object.keys(finding).filter((key) => !own.includes(key)))
			assert.deepEqual(same[field], finding[field], field);
	}
	const all = health.findings.reduce((n, { episodes: own }) => n + own.length, 0);
	assert.equal(await page.locator("#episodes .episode").count(), all);
});

await step("a limit is drawn in its panel, and the spans beyond it are tinted", async () => {
	const panels = await page.evaluate(async () => {
		const { plotNow } = await import("/chart.js");
		return plotNow().panels.map(({ subject, quantity, limits, spans }) => ({ subject, quantity, limits, spans }));
	});
	const disk = panels.find((panel) => panel.subject === "Disk" && panel.quantity === "seconds");
	assert.deepEqual(disk.limits, [0.025]); // the rule "Disk reads": 25 ms
	assert.equal(disk.spans.length, 2);
	const text = await page.evaluate(async () => {
		const [{ plotNow }, { drawPlot }, { SvgSurface }] = await Promise.all(
			["/chart.js", "/plot.js", "/surface.js"].map((name) => import(name)),
		);
		const surface = new SvgSurface(1000, 800);
		drawPlot(surface, plotNow());
		return surface.parts.join("");
	});
	assert.match(text, />(warning|critical) 25 ms</);
});

await step("a click on a finding zooms to it and explains it, with its source", async () => {
	await page.locator("#episodes .episode", { hasText: "Disk reads" }).first().click();
	await settled(page);
	assert.ok(addressOf(page, "from"));
	assert.match(await page.textContent("#finding-title"), /Disk reads/);
	assert.match(await page.textContent("#finding-body"), /above 25ms/);
	const { rules } = await api("findings", { set: 0 });
	const links = rules.find(({ name }) => name === "Disk reads").sources.filter(({ link }) => link !== null);
	assert.ok(links.length > 0);
	assert.equal(await page.locator("#finding-body a").count(), links.length);
	await picture(page, "finding");
	await page.keyboard.press("Escape");
	await page.keyboard.press("Control+z");
	await settled(page);
	assert.equal(addressOf(page, "from"), null);
});

await step("a condition in the search box gives the episodes of pmon find", async () => {
	const condition = "\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read > 20ms";
	await page.keyboard.press("q");
	await page.fill("#ask", condition);
	await page.keyboard.press("Enter");
	await page.waitForFunction(() => /episode/.test(document.getElementById("lane-said").textContent));
	const expected = (await pmonJson("find", condition, log, "--format", "json")).episodes;
	const { episodes } = await api("findings", { set: 0, q: condition });
	assert.deepEqual(
		episodes.map(({ path, from, to, average }) => [path, from, to, average]),
		expected.map(({ path, from, to, average }) => [path, from, to, average]),
	);
	assert.match(await page.textContent("#lane-said"), new RegExp(`: ${expected.length} episodes?`));
	await page.click("#lane-said button");
	await page.waitForFunction(() => /findings/.test(document.getElementById("lane-said").textContent));
});

await step("words and a limit are a condition too, and the page says how it understood them", async () => {
	await page.fill("#ask", "disk read > 20 ms");
	await page.keyboard.press("Enter");
	// The status of the step before was understood as one disk.
	await page.waitForFunction(() => /^Understood as .*\(\*\)/.test(document.getElementById("status").textContent));
	assert.match(await page.textContent("#status"), /\(\*\)\\Avg\. Disk sec\/Read > 20 ms: \d+ episode/);
	await page.fill("#ask", "\\Processor(*\\x > 3");
	await page.keyboard.press("Enter");
	await page.waitForSelector("#status-code:not([hidden])");
	assert.match(await page.textContent("#status-code"), /^\\Processor\(\*\\x > 3\n *\^$/);
	await page.click("#status-close");
	assert.equal(await page.textContent("#status"), "");
	await page.fill("#ask", "");
	await page.keyboard.press("Enter");
});

await step("who used the processor is answered with names and numbers", async () => {
	const before = (await paths()).length;
	await page.fill("#ask", "who used the cpu");
	await page.keyboard.press("Enter");
	await page.waitForFunction(() => /^Understood as: processes by/.test(document.getElementById("status").textContent));
	assert.ok((await paths()).every((path) => /\\Process\(.*% Processor Time$/.test(path)));
	assert.match(await page.textContent("#status"), /\d %/);
	await page.click("#undo");
	await page.waitForFunction((n) => document.querySelectorAll("#legend-rows tr").length === n, before);
});

await step("what changed here ranks counters, and adds one with a click", async () => {
	await page.evaluate(() => document.activeElement.blur());
	const box = await page.locator("#plot").boundingBox();
	await page.mouse.move(box.x + box.width * 0.32, box.y + 60);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * 0.62, box.y + 60, { steps: 4 });
	await page.mouse.up();
	await settled(page);
	await page.click("[data-command=changes]");
	await page.waitForSelector("#changes-body th");
	const shown = await page.$$eval("#changes-body th", (names) => names.map((name) => name.title));
	const { series } = await pmonJson("changes", "--format", "json", ...windowOptions(), log);
	assert.ok(series.length > 3);
	assert.deepEqual(shown, series.slice(0, 30).map(({ path }) => path));
	const before = await paths();
	await page.locator("#changes-body button:not(:disabled)").first().click();
	assert.equal((await paths()).length, before.length + 1);
	await picture(page, "changes");
	await page.keyboard.press("Escape");
	await page.keyboard.press("0");
	await settled(page);
});

await step("the top of a wildcard is by the total, without sums and Idle", async () => {
	const pattern = "\\Process(*)\\% Processor Time";
	const { rows } = await api("top", { set: 0, pattern, max: 5 });
	assert.equal(rows.length, 5);
	assert.ok(rows.every(({ series }) => !/_Total|Idle/.test(series.instance)));
	const { counters } = await pmonJson("stats", "-c", pattern, "--format", "json", log);
	for (const { average, series } of rows)
		assert.equal(average, counters.find(({ path }) => path === series.path).average, series.path);
	const totals = rows.map(({ total }) => total);
	assert.deepEqual(totals, [...totals].sort((a, b) => b - a));
	const before = (await paths()).length;
	await page.keyboard.press("5");
	await page.waitForFunction((n) => document.querySelectorAll("#legend-rows tr").length > n, before);
});

await step("a preset replaces the counters, and can be undone", async () => {
	const before = await paths();
	await page.selectOption("#preset", "Disks");
	await page.waitForFunction(() => /^Disks: /.test(document.getElementById("status").textContent));
	assert.ok((await paths()).every((path) => path.includes("PhysicalDisk")));
	await page.click("#undo");
	await page.waitForFunction((n) => document.querySelectorAll("#legend-rows tr").length === n, before.length);
});

await step("the values of a panel are next to it: the last and the largest, or those at the cursor", async () => {
	await page.selectOption("#preset", "Disks");
	await settled(page);
	assert.match(await page.textContent("#values"), /max/);
	const box = await page.locator("#plot").boundingBox();
	await page.mouse.move(box.x + box.width / 2, box.y + 80);
	await page.waitForSelector("#cursor-time:not([hidden])");
	assert.doesNotMatch(await page.textContent("#values"), /max/);
	const { panels, lists } = await page.evaluate(async () => {
		const { plotNow } = await import("/chart.js");
		const of = (node) => node.getBoundingClientRect();
		const lists = [...document.querySelectorAll(".values")].map((node) => of(node).left - of(node.closest("#plot")).left);
		return { panels: plotNow().panels.map(({ box }) => box.x + box.width), lists };
	});
	assert.equal(lists.length, panels.length);
	lists.forEach((left, i) => assert.ok(left >= panels[i], "no value lies over a line"));
});

await stepNoErrors(errors.filter((text) => !/400 .*findings/.test(text))); // the question that was wrong
await server.stop();
await browser.close();
finish();
