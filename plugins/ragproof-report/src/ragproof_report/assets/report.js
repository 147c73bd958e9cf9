"use strict";
(() => {
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);

  const theme = byId("theme");
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme || (prefersDark.matches ? "dark" : "light")) === "dark";
  const nameTheme = () => { theme.textContent = isDark() ? "Light colours" : "Dark colours"; };
  theme.hidden = false;
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; nameTheme(); });
  prefersDark.addEventListener("change", nameTheme);
  nameTheme();

  const list = byId("list");
  const body = list.tBodies[0];
  const rows = Array.from(body.rows, (row) => ({
    row,
    text: row.textContent.toLowerCase(),
    outcome: row.cells[2].textContent,
    kind: row.cells[3].textContent,
    tags: Array.from(row.cells[4].children, (tag) => tag.textContent),
  }));
  const form = byId("filter");
  const value = (id) => { const field = byId(id); return field ? field.value : ""; };
  const apply = () => {
    const words = value("q").toLowerCase().split(/\s+/).filter(Boolean);
    const outcome = value("outcome"), kind = value("kind"), tag = value("tag");
    let shown = 0;
    for (const entry of rows) {
      const fits = (!outcome || entry.outcome === outcome) && (!kind || entry.kind === kind)
        && (!tag || entry.tags.includes(tag)) && words.every((word) => entry.text.includes(word));
      entry.row.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    byId("shown").textContent = `${shown} of ${rows.length} ${rows.length === 1 ? "case" : "cases"} shown`;
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("change", apply);
  let waiting;
  byId("q").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(apply, 80); });
  apply();

  const keyOf = (row, place, numeric) => {
    const text = row.cells[place].textContent.trim();
    if (!numeric) return text.toLowerCase();
    const number = parseFloat(text);
    return Number.isNaN(number) ? Infinity : number;
  };
  const heads = Array.from(list.tHead.rows[0].cells);
  heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const numeric = head.dataset.sort === "number";
      const sorted = rows.map(({ row }) => ({ row, key: keyOf(row, place, numeric) }));
      const missing = (key) => key === Infinity;
      sorted.sort((a, b) => {
        if (missing(a.key) !== missing(b.key)) return missing(a.key) ? 1 : -1;
        if (a.key === b.key) return a.row.cells[0].textContent - b.row.cells[0].textContent;
        return (a.key < b.key ? -1 : 1) * (down ? -1 : 1);
      });
      body.append(...sorted.map(({ row }) => row));
    });
  });

  const openTarget = () => {
    const target = /^#[\w-]+$/.test(location.hash) && document.querySelector(location.hash);
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (target && target.closest("details")) target.scrollIntoView();
  };
  addEventListener("hashchange", openTarget);
  openTarget();

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = Array.from(document.querySelectorAll("details:not([open])"));
    opened.forEach((part) => { part.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach((part) => { part.open = false; }));
})();
