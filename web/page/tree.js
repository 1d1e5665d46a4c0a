// tree.js - the tree of machines, objects, counters and instances, loaded page by page
// SPDX-License-Identifier: MIT
//
// Nodes are loaded when opened, so that logs of 50,000 counters open as fast as small ones. Keys
// are those of a tree: arrows, Home, End, Enter or Space to add.

import { ask } from "./api.js";
import { el } from "./dom.js";
import { plural, showInstance } from "./format.js";

const PAGE = 200;
const OPEN_ALL_BELOW = 5; // a search opens levels with no more nodes than this
const LEVELS = ["machine", "object", "counter", "instance"];

// An item is a sibling of its children's container, so that its accessible name is just its text.
const lineOf = (item) => el("li", { role: "none" }, item);

// A tree in `root`. The owner provides callbacks: {query(), choose(node), focus(node), has(series),
// error(error)}; a node is {level, name, parts, count, series, help, type, unit}.
export class Tree {
	constructor(root, owner) {
		this.root = root;
		this.owner = owner;
		this.nodes = new WeakMap(); // its element -> node
		this.groups = 0; // number of opened groups
		this.turn = 0; // counts searches: answers to older ones are dropped
		root.addEventListener("keydown", (event) => this.onKey(event));
		root.addEventListener("click", (event) => this.onClick(event));
		root.addEventListener("focusin", (event) => this.onFocus(event));
	}

	// Reloads the tree for the owner's search.
	async load() {
		this.turn++;
		await this.page({}, this.root, 0, this.turn);
		this.items()[0]?.setAttribute("tabindex", "0");
	}

	async page(parts, into, offset, turn) {
		let answer;
		try {
			answer = await ask("tree", {
				set: 0,
				...parts,
				q: this.owner.query() || null,
				offset,
				limit: PAGE,
			});
		} catch (error) {
			this.owner.error(error);
			return;
		}
		if (turn !== this.turn) return;
		const items = answer.nodes.map((node) => this.item(answer.level, parts, node));
		if (offset === 0) into.replaceChildren();
		into.append(...items.map(lineOf));
		const seen = offset + answer.nodes.length;
		if (seen < answer.total)
			into.append(lineOf(this.moreItem(answer.level, parts, into, seen, answer.total)));
		if (items.length === 0 && into === this.root)
			into.append(
				el("li", { role: "none", class: "nothing" }, "Nothing matches."),
			);
		await this.openFew(items, answer, parts);
	}

	// A single machine opens immediately; a search opens further levels while they are small.
	async openFew(items, answer) {
		const searching = this.owner.query() !== "";
		const few =
			answer.level === "machine"
				? answer.total === 1
				: searching && answer.total <= OPEN_ALL_BELOW;
		if (few)
			await Promise.all(
				items
					.filter((item) => item.hasAttribute("aria-expanded"))
					.map((item) => this.open(item)),
			);
	}

	item(level, parts, answer) {
		const isSeries = level === "instance";
		const name = isSeries
			? (answer.parent === null ? "" : answer.parent + "/") + showInstance(answer)
			: answer.name;
		const node = {
			level,
			name,
			count: isSeries ? 1 : answer.series,
			series: isSeries ? answer : null,
			parts: isSeries ? parts : { ...parts, [level]: answer.name },
			help: answer.help ?? null,
			type: answer.type ?? null,
			unit: answer.unit ?? null,
		};
		const depth = LEVELS.indexOf(level);
		const has = isSeries && this.owner.has(answer);
		const item = el(
			"div",
			{
				role: "treeitem",
				class: "label",
				tabindex: "-1",
				"aria-level": depth + 1,
				"aria-expanded": isSeries ? null : "false",
				"aria-selected": isSeries ? String(has) : null,
			},
			el("span", { class: "twist", "aria-hidden": "true" }),
			el(
				"span",
				{ class: "text" },
				name || (isSeries ? "(no instance)" : "(no machine named)"),
			),
			" ",
			el("small", {}, isSeries ? "" : plural(node.count, "counter", "counters")),
			el("span", { class: "add", "aria-hidden": "true" }),
		);
		item.style.paddingLeft = `${depth * 1.1 + 0.2}rem`;
		this.nodes.set(item, node);
		return item;
	}

	moreItem(level, parts, into, offset, total) {
		const item = el(
			"div",
			{
				role: "treeitem",
				tabindex: "-1",
				class: "label more",
				"aria-level": LEVELS.indexOf(level) + 1,
			},
			`Show more: ${offset} of ${total} are here`,
		);
		item.addEventListener("show-more", async () => {
			const line = item.parentElement;
			const before = line.previousElementSibling;
			await this.page(parts, into, offset, this.turn);
			line.remove();
			this.move(before.nextElementSibling.firstElementChild);
		});
		return item;
	}

	async open(item) {
		const node = this.nodes.get(item);
		if (
			!node ||
			node.level === "instance" ||
			item.getAttribute("aria-expanded") === "true"
		)
			return;
		item.setAttribute("aria-expanded", "true");
		const group = el("ul", { role: "group", id: `add-group-${this.groups++}` });
		item.setAttribute("aria-owns", group.id);
		item.after(group);
		await this.page(node.parts, group, 0, this.turn);
	}

	close(item) {
		item.setAttribute("aria-expanded", "false");
		item.removeAttribute("aria-owns");
		item.nextElementSibling?.remove();
	}

	// Updates the marks of chosen series.
	mark() {
		for (const item of this.root.querySelectorAll("[aria-selected]"))
			item.setAttribute(
				"aria-selected",
				String(this.owner.has(this.nodes.get(item).series)),
			);
	}

	// ---- Keys and pointer ---------------------------------------------------------------------

	items() {
		return [...this.root.querySelectorAll("[role=treeitem]")];
	}

	move(item) {
		if (!item) return;
		this.root.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
		item.setAttribute("tabindex", "0");
		item.focus();
	}

	choose(item) {
		if (item.classList.contains("more"))
			item.dispatchEvent(new CustomEvent("show-more"));
		else this.owner.choose(this.nodes.get(item));
	}

	onFocus(event) {
		const node = this.nodes.get(event.target.closest("[role=treeitem]"));
		if (node) this.owner.focus(node);
	}

	onClick(event) {
		const item = event.target.closest("[role=treeitem]");
		if (!item) return;
		this.move(item);
		const expands = item.hasAttribute("aria-expanded") && !event.target.closest(".add");
		if (!expands) this.choose(item);
		else if (item.getAttribute("aria-expanded") === "true") this.close(item);
		else this.open(item);
	}

	onKey(event) {
		const item = event.target.closest("[role=treeitem]");
		if (!item || event.ctrlKey || event.altKey || event.metaKey) return;
		const items = this.items();
		const at = items.indexOf(item);
		const expanded = item.getAttribute("aria-expanded");
		const parent = item.closest("[role=group]")?.previousElementSibling;
		const acts = {
			ArrowDown: () => this.move(items[at + 1]),
			ArrowUp: () => this.move(items[at - 1]),
			Home: () => this.move(items[0]),
			End: () => this.move(items.at(-1)),
			ArrowRight: () =>
				expanded === "false" ? this.open(item) : this.move(items[at + 1]),
			ArrowLeft: () =>
				expanded === "true" ? this.close(item) : this.move(parent),
			Enter: () => this.choose(item),
			" ": () => this.choose(item),
		};
		if (!acts[event.key]) return;
		event.preventDefault();
		event.stopPropagation();
		acts[event.key]();
	}
}
