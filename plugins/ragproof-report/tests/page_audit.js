// Looks for what keeps people from using a page: controls without a name, low contrast, skipped headings, doubled ids.
const problems = [];
const visible = (e) => e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) && e.getClientRects().length;

const nameOf = (e) => {
  const by = e.getAttribute("aria-labelledby");
  const labelled = by ? by.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ") : "";
  const labels = e.labels ? Array.from(e.labels, (l) => l.textContent).join(" ") : "";
  return (e.getAttribute("aria-label") || labelled || labels || e.textContent || "").trim();
};
document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0'], [role=img], nav, section, form").forEach((e) => {
  if (!nameOf(e)) problems.push(`no name: ${e.outerHTML.slice(0, 80)}`);
});

const ids = new Map();
document.querySelectorAll("[id]").forEach((e) => ids.set(e.id, (ids.get(e.id) || 0) + 1));
ids.forEach((n, id) => { if (n > 1) problems.push(`id ${id} occurs ${n} times`); });
document.querySelectorAll("a[href^='#']").forEach((a) => {
  if (!document.getElementById(a.getAttribute("href").slice(1))) problems.push(`dead link ${a.getAttribute("href")}`);
});

let level = 0;
document.querySelectorAll("h1, h2, h3, h4").forEach((h) => {
  const own = Number(h.tagName[1]);
  if (own > level + 1) problems.push(`heading ${h.textContent} skips a level`);
  level = own;
});
if (document.querySelectorAll("h1").length !== 1) problems.push("not exactly one h1");
if (!document.documentElement.lang) problems.push("no language");
document.querySelectorAll("table").forEach((t) => { if (!t.querySelector("thead th[scope=col]")) problems.push("table without heads"); });

const parse = (colour) => {
  const n = (colour.match(/[\d.]+/g) || []).map(Number);
  return { r: n[0], g: n[1], b: n[2], a: n.length > 3 ? n[3] : 1 };
};
const luminance = ({ r, g, b }) => {
  const part = (c) => { const s = c / 255; return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; };
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
};
const background = (e) => {
  for (let at = e; at; at = at.parentElement) {
    const colour = parse(getComputedStyle(at).backgroundColor);
    if (colour.a === 1) return colour;
    if (colour.a > 0) problems.push(`half-transparent background on ${at.tagName}`);
  }
  return { r: 255, g: 255, b: 255 };
};
let lowest = 99, checked = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const e = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || ["SCRIPT", "STYLE", "TITLE", "title", "OPTION"].includes(e.tagName) || !visible(e)) continue;
  const style = getComputedStyle(e);
  const ink = luminance(parse(e instanceof SVGElement ? style.fill : style.color)), paper = luminance(background(e));
  const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
  lowest = Math.min(lowest, contrast);
  checked += 1;
  if (contrast < 4.5) problems.push(`contrast ${contrast.toFixed(2)}: ${e.tagName}.${e.className} ${e.textContent.slice(0, 30)}`);
}
return { problems: [...new Set(problems)].slice(0, 20), lowest, checked };
