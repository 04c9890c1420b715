// No rule of any game is in here: what may be done and what comes of it is read from the page that the server wrote.
const $ = (q, e = document) => e.querySelector(q), $$ = (q, e = document) => [...e.querySelectorAll(q)];
const body = document.body, root = document.documentElement, said = body.dataset;

// The wire: each connection takes up what this page has seen last.
let asked = $("#question")?.dataset.ticket, unsent = null, last = null, timer = 0;
const toast = text => { const t = $("#toast"); if (t) { t.textContent = text; clearTimeout(timer); if (text) timer = setTimeout(() => t.textContent = "", 8000); } };
const conn = (cls, text) => { const c = $("#conn"); if (c) { c.className = cls; c.textContent = text; } };
// htmx looks at the page in a timer of its own, which may run before its extension has arrived: the wire is laid after both.
setTimeout(() => {
  const kept = $("#wire-kept");
  if (!kept) return;
  body.append(kept.content.cloneNode(true));
  htmx.process($("#wire"));
});
addEventListener("htmx:ws:before:connection", e => {
  const url = new URL(e.detail.connection.url, location);
  url.searchParams.set("n", said.n); url.searchParams.set("v", said.v);
  e.detail.connection.url = url.href;
});
addEventListener("htmx:ws:after:connection", () => {
  conn("on", said.live);
  if (unsent) { const { button, ticket } = unsent; unsent = null; setTimeout(() => resend(button, ticket), 300); }
});
addEventListener("htmx:ws:close", () => conn("off", said.lost));
addEventListener("htmx:ws:after:message:incoming", async e => {
  const m = await e.detail.message.json();
  said.n = m.n; said.v = m.v;
  refreshed();
});
function refreshed() {
  if (!said.name) return;
  const q = $("#question"), t = q?.dataset.ticket;
  document.title = (t ? "\u25cf " + said.move + ": " : "") + said.name + ": " + said.seat;
  if (t !== asked) {
    const at = document.activeElement, held = at === body || q.contains(at) || at?.closest(".cells");
    asked = t;
    if (held && t) q.focus({ preventScroll: true });
    if (unsent === null) toast("");
  }
  pick();
}

// Dice to keep are toggled; the server has written an answer for each set that may be chosen, and the one that fits is shown.
function pick() {
  const form = $("#answer:has(.pick)");
  if (!form) return;
  const chosen = $$(".pick input:checked", form).map(c => c.dataset.match).sort().join(" ");
  let fits = false;
  for (const offer of $$(".offer", form)) {
    const on = offer.dataset.match === chosen;
    offer.classList.toggle("picked", on); fits ||= on;
  }
  form.classList.add("picking");
  const note = $(".nopick", form), text = fits ? "" : said.nopick;
  if (note.textContent !== text) note.textContent = text;
}
addEventListener("change", e => { if (e.target.matches(".pick input")) pick(); });

// Answers: what was pressed while the table was away goes out once when it is back; its ticket lets it count only once.
addEventListener("submit", e => { e.submitter?.closest("[popover]")?.hidePopover(); if (e.target.id === "answer") last = { button: e.submitter?.value, ticket: asked }; }, true);
addEventListener("htmx:error", e => { if (last && e.target?.id === "answer") { unsent = last; toast(said.unsent); } });
function resend(value, ticket) {
  const b = $$("#answer button, .cells button").find(b => b.value === value);
  if (asked === ticket && b) b.click(); else toast("");
}
addEventListener("htmx:after:swap", () => { const t = $("#toast"); if (t?.textContent) { clearTimeout(timer); timer = setTimeout(() => t.textContent = "", 8000); } });

// Keys, unless they are switched off.
const keysOn = $("#keys-on");
if (keysOn) { keysOn.checked = localStorage.getItem("keys") !== "off"; keysOn.onchange = () => localStorage.setItem("keys", keysOn.checked ? "on" : "off"); }
addEventListener("keydown", e => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const c = document.activeElement;
  if (c?.classList.contains("cellbtn") && e.key.startsWith("Arrow")) { e.preventDefault(); return walk(c, e.key); }
  if (e.key === "Enter" && c?.matches(".pick input")) { e.preventDefault(); $("#answer .picked .take")?.click(); return; }
  if (!keysOn?.checked || c?.matches("input:not([type=checkbox],[type=radio]),textarea,select") || $("dialog[open]")) return;
  const k = e.key.toLowerCase();
  if (k === "?") $("#help").showModal();
  else if (k === "q") $("#question").focus();
  else if (k === "b") { const b = $(".cellbtn[tabindex='0'], .cellbtn:not([tabindex])"); if (!b) return; b.focus(); }
  else if (k === "l") $(".scroll").focus();
  else if (k === "w") { const d = $(".whynot"); if (!d) return; d.open = !d.open; $("summary", d).focus(); }
  else { const t = $(`#answer [data-key="${CSS.escape(k)}"]`); if (!t || t.disabled) return; t.focus(); t.click(); }
  e.preventDefault();
});
function walk(from, key) {
  const x = +from.dataset.x, y = +from.dataset.y, [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const off = ([, a, b]) => Math.abs(a) + Math.abs(b) + 2 * Math.abs(dx ? b : a);
  const best = $$(".cellbtn").map(b => [b, +b.dataset.x - x, +b.dataset.y - y]).filter(([, a, b]) => dx * a + dy * b > 0).sort((p, q) => off(p) - off(q))[0];
  if (best) { from.tabIndex = -1; best[0].tabIndex = 0; best[0].focus(); }
}

// Buttons of the page, and rules that open where they are cited.
addEventListener("click", async e => {
  const d = e.target.closest("[data-do]")?.dataset.do, copy = e.target.closest("[data-copy]"), rule = e.target.closest("a.rule"), card = $("#card");
  if (d === "help") { e.preventDefault(); $("#help").showModal(); }
  if (d === "theme") {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches, now = root.dataset.theme;
    root.dataset.theme = (now === "dark" || (now === "auto" && dark)) ? "light" : "dark"; localStorage.setItem("theme", root.dataset.theme);
  }
  if (copy) {
    const was = copy.textContent;
    await navigator.clipboard.writeText(copy.dataset.copy); copy.textContent = said.copied; setTimeout(() => copy.textContent = was, 1500);
  }
  const wanted = e.target.closest("[data-pick]")?.dataset.pick.split(" ");
  if (wanted) { for (const c of $$(".pick input")) c.checked = wanted.includes(c.dataset.place); pick(); $("#answer .picked .take")?.focus(); }
  if (rule && card && !e.ctrlKey && !e.metaKey && !e.shiftKey) {
    e.preventDefault();
    const got = await fetch(rule.href, { headers: { "hx-request": "true" } });
    if (!got.ok) return toast(await got.text());
    card.innerHTML = await got.text();
    if (card.matches(":popover-open")) card.hidePopover();
    card.showPopover({ source: rule });
  }
});
refreshed();
