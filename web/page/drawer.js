// drawer.js - what is explained stands next to the chart, never over it: one drawer at a time
// SPDX-License-Identifier: MIT

import { $ } from "./dom.js";

let opener = null; // what had the focus, or its key: lists are rebuilt

const openDrawer = () => document.querySelector("dialog.drawer[open]");

function returnFocus() {
	const { node, key } = opener ?? {};
	opener = null;
	const again = key && document.querySelector(`[data-key="${CSS.escape(key)}"]`);
	(node?.isConnected ? node : again)?.focus();
}

// Shows a drawer instead of the one that is open.
export function showDrawer(id) {
	const drawer = $(id);
	const before = openDrawer();
	const focused = document.activeElement;
	if (!before && focused !== document.body) opener = { node: focused, key: focused.dataset.key };
	if (before && before !== drawer) before.close();
	if (!drawer.open) drawer.show();
	drawer.scrollTop = 0;
}

// Closes the drawer, if one is open.
export function closeDrawer() {
	const drawer = openDrawer();
	drawer?.close();
	if (drawer) returnFocus();
	return drawer !== null;
}

export function startDrawers() {
	for (const drawer of document.querySelectorAll("dialog.drawer"))
		drawer.querySelector("[data-close]").addEventListener("click", closeDrawer);
	document.addEventListener(
		"keydown",
		(event) => {
			if (event.key !== "Escape" || document.querySelector("dialog:modal") || !closeDrawer()) return;
			event.preventDefault();
			event.stopPropagation();
		},
		true,
	);
}
