// Looking back: each moment is a page of its own; this only puts its parts in place without loading it anew.
document.body.classList.add("scripted");
const reel = document.querySelector(".reel"), moment = document.querySelector("#moment");
let wanted = null;
async function show(number) {
  number = Math.max(+moment.min, Math.min(+moment.max, number));
  moment.value = number;
  wanted?.abort();
  const mine = wanted = new AbortController(), url = reel.dataset.base + "/" + number + reel.dataset.query;
  let got;
  try {
    got = await fetch(url, { signal: mine.signal });
    if (!got.ok) return location.assign(url);
    const page = new DOMParser().parseFromString(await got.text(), "text/html"), held = document.activeElement?.dataset?.step;
    if (mine !== wanted) return;
    for (const id of ["past-turns", "table", "past-steps", "past-told", "lines"]) document.getElementById(id).replaceWith(document.adoptNode(page.getElementById(id)));
    const now = page.querySelector("#moment");
    moment.max = now.max; moment.value = now.value;
    moment.setAttribute("aria-valuetext", now.getAttribute("aria-valuetext"));
    if (held) (document.querySelector(`[data-step="${held}"]`) ?? moment).focus();
    history.replaceState(null, "", got.url);
  } catch (wrong) { if (wrong.name !== "AbortError") location.assign(url); }
}
moment.addEventListener("input", () => { roll(false); show(+moment.value); });
// Moment after moment by itself, until somebody stops it, looks elsewhere, or the last one is there.
const roller = document.querySelector("[data-roll]"), words = roller.textContent;
let rolling = 0;
function roll(on) {
  clearInterval(rolling);
  rolling = on ? setInterval(() => +moment.value < +moment.max ? show(+moment.value + 1) : roll(false), 1500) : 0;
  roller.textContent = on ? roller.dataset.stop : words;
}
roller.addEventListener("click", () => { if (!rolling && +moment.value === +moment.max) show(0); roll(!rolling); });
addEventListener("click", e => {
  const to = e.target.closest("[data-step]");
  if (!to || e.ctrlKey || e.metaKey || e.shiftKey) return;
  e.preventDefault();
  roll(false);
  show(+new URL(to.href).pathname.split("/").pop());
});
addEventListener("keydown", e => {
  const at = document.activeElement;
  if (e.ctrlKey || e.metaKey || e.altKey || at?.matches("input,textarea,select,.scroll,.cellbtn,pre") || document.querySelector("dialog[open]")) return;
  if (e.key.toLowerCase() === "p" && document.querySelector("#keys-on").checked) return roller.click();
  const now = +moment.value, to = { ArrowLeft: now - 1, ArrowRight: now + 1, PageUp: now - 10, PageDown: now + 10, Home: 0, End: +moment.max }[e.key];
  if (to === undefined) return;
  e.preventDefault();
  roll(false);
  show(to);
});
