// A file may be dropped anywhere on the page: it goes into the form's own field, and the form is sent.
const drop = document.querySelector("[data-drop]"), field = drop?.querySelector("input[type=file]");
if (field) {
  const holds = e => [...e.dataTransfer?.types ?? []].includes("Files");
  addEventListener("dragover", e => { if (holds(e)) { e.preventDefault(); document.body.classList.add("dropping"); } });
  addEventListener("dragleave", e => { if (!e.relatedTarget) document.body.classList.remove("dropping"); });
  addEventListener("drop", e => {
    if (!holds(e)) return;
    e.preventDefault();
    document.body.classList.remove("dropping");
    field.files = e.dataTransfer.files;
    drop.requestSubmit();
  });
  // The server says so too, but it may close the line before a browser has sent all and listens.
  drop.addEventListener("submit", e => {
    const large = (field.files[0]?.size ?? 0) > +drop.dataset.largest;
    drop.querySelector("[data-fault]").textContent = large ? drop.dataset.large : "";
    if (large) e.preventDefault();
  });
}
