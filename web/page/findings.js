// findings.js - what rules found: a lane over the chart, and the explanation of each
// SPDX-License-Identifier: MIT

// The episodes of findings as the chart draws them: {path, from_ms, to_ms, limit}.
export const shownEpisodes = () => [];
