// The page is whole without this script. With it, new records appear by themselves, older ones as one scrolls, and
// the playground answers without another page. Texts of the log come as luahook's own markup, in which they are
// escaped; the one policy of trusted types lets that in, and nothing else.
"use strict";

const markup = window.trustedTypes ? trustedTypes.createPolicy("luahook", { createHTML: (html) => html }) : { createHTML: (html) => html };

function fragment(html) {
  const template = document.createElement("template");
  template.innerHTML = markup.createHTML(html);
  return template.content;
}

const maxRows = 600; // that the list of now keeps at its top

// live adds records to the list of now as they come. While somebody reads further down, has the list paused or the
// focus inside of it, they wait for a button.
function live() {
  const at = document.getElementById("live");
  const rows = document.getElementById("rows");
  if (!at || !rows) return;
  const status = at.querySelector("[role=status]");
  const pause = document.createElement("button");
  pause.type = "button";
  pause.textContent = "Pause";
  pause.setAttribute("aria-pressed", "false");
  const waiting = document.createElement("button");
  waiting.type = "button";
  waiting.className = "waiting";
  waiting.hidden = true;
  at.append(pause, waiting);

  let held = []; // markup of updates that wait, the oldest first
  let heldCount = 0;
  const paused = () => pause.getAttribute("aria-pressed") === "true";
  const reading = () => paused() || window.scrollY > 300 || rows.contains(document.activeElement);

  function add(html) {
    rows.querySelector(".empty")?.remove();
    const fresh = fragment(html);
    for (const li of fresh.children) li.classList.add("fresh");
    const first = rows.firstElementChild; // the day
    if (first && first.classList.contains("day")) first.after(fresh);
    else rows.prepend(fresh);
    trim();
  }

  // trim takes the oldest rows away, and has the link to older records begin where they were.
  function trim() {
    if (rows.childElementCount <= maxRows) return;
    while (rows.childElementCount > maxRows) rows.lastElementChild.remove();
    const last = [...rows.querySelectorAll(".row")].pop();
    let link = document.querySelector(".more a[rel=next]");
    if (!link) {
      const more = document.createElement("p");
      more.className = "more";
      link = document.createElement("a");
      link.rel = "next";
      link.textContent = "Older records";
      link.href = location.href;
      more.append(link);
      rows.after(more);
    }
    const at = new URL(link.href);
    at.searchParams.set("before", last.dataset.ref);
    link.href = at.href;
  }

  function show() {
    for (const html of held) add(html);
    held = [];
    heldCount = 0;
    waiting.hidden = true;
  }

  function say(text) {
    if (status.textContent !== text) status.textContent = text;
  }

  let stream = null;
  let newest = "";
  function listen() {
    const from = new URL(at.dataset.stream, location.href);
    if (newest) from.searchParams.set("after", newest);
    stream = new EventSource(from);
    stream.addEventListener("open", () => say("live"));
    stream.addEventListener("error", () => say(stream.readyState === EventSource.CLOSED ? "luahook ui has ended" : "connecting …"));
    stream.addEventListener("reset", () => location.reload());
    stream.addEventListener("records", (e) => {
      newest = e.lastEventId || newest;
      const update = JSON.parse(e.data);
      document.getElementById("state").replaceWith(fragment(update.state));
      if (update.passed === 0) return;
      held.push(update.html);
      heldCount += update.passed;
      while (held.length > 10) held.shift(); // what would leave the list at once
      if (!reading()) return show();
      waiting.textContent = heldCount + (heldCount === 1 ? " new record" : " new records");
      waiting.hidden = false;
    });
  }
  // A browser has some six connections to one server, for all tabs together: a hidden one takes none.
  function listenWhileSeen() {
    if (document.hidden) {
      stream?.close();
      stream = null;
    } else if (!stream) {
      listen();
    }
  }
  document.addEventListener("visibilitychange", listenWhileSeen);
  window.addEventListener("pagehide", () => stream?.close());
  listenWhileSeen();

  pause.addEventListener("click", () => {
    const on = !paused();
    pause.setAttribute("aria-pressed", String(on));
    if (!on) show();
  });
  waiting.addEventListener("click", () => {
    show();
    window.scrollTo({ top: 0 });
    document.getElementById("main").focus();
  });
}

// older adds older records below when somebody scrolls there.
function older() {
  const rows = document.getElementById("rows");
  if (!rows || !("IntersectionObserver" in window)) return;
  let busy = false;
  const seen = new IntersectionObserver(async (entries) => {
    if (busy || !entries.some((e) => e.isIntersecting)) return;
    const link = document.querySelector(".more a[rel=next]");
    if (!link) return;
    busy = true;
    const more = link.parentElement;
    try {
      const answer = await fetch(link.href + "&part=list");
      if (!answer.ok) return;
      const fresh = fragment(await answer.text());
      const days = rows.querySelectorAll(".day");
      const firstDay = fresh.querySelector(".day");
      if (firstDay && days.length > 0 && days[days.length - 1].textContent === firstDay.textContent) firstDay.remove();
      const next = fresh.querySelector(".more");
      const list = fresh.querySelector("ol");
      list.querySelector(".empty")?.remove();
      rows.append(...list.children);
      seen.unobserve(more);
      if (next) {
        more.replaceWith(next);
        seen.observe(next);
      } else {
        more.remove();
      }
    } finally {
      busy = false;
    }
  }, { rootMargin: "600px" });
  const more = document.querySelector(".more");
  if (more) seen.observe(more);
}

// filter sends the form of filters when a choice changes.
function filter() {
  const form = document.querySelector("form.filter");
  if (!form) return;
  for (const select of form.querySelectorAll("select")) select.addEventListener("change", () => form.requestSubmit());
  form.addEventListener("submit", () => { // so that the address has what was said, and no empty fields
    for (const field of form.querySelectorAll("input, select")) if (field.value === "") field.disabled = true;
  });
  window.addEventListener("pageshow", () => {
    for (const field of form.querySelectorAll("input, select")) field.disabled = false;
  });
}

// keys moves between the records of a list with j and k, or the arrow keys, once one of them has the focus.
function keys() {
  const rows = document.getElementById("rows");
  rows?.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[e.key];
    if (!step) return;
    const links = [...rows.querySelectorAll(".what")];
    const at = links.indexOf(document.activeElement.closest(".row")?.querySelector(".what"));
    e.preventDefault();
    links[Math.min(links.length - 1, Math.max(0, at + step))].focus();
  });
}

// play has the playground answer in its place. An edit of a hook is kept for this tab, so that a reload doesn't lose it:
// by the file and not by the address, which has the token. What is fired and compared is what the page shows.
function play() {
  const form = document.getElementById("play");
  if (!form) return;
  const kept = (text) => "luahook playground " + text.dataset.file;
  const state = (what) => { const at = document.getElementById("text-state"); if (at) at.textContent = what; };
  let asked = null; // what is under way

  function keep() {
    const text = document.getElementById("text");
    if (!text) return;
    try {
      if (!text.hasAttribute("data-edited") && text.value === text.defaultValue) {
        sessionStorage.removeItem(kept(text));
        return state("as it is in force");
      }
      sessionStorage.setItem(kept(text), JSON.stringify({ sum: text.dataset.sum, text: text.value }));
    } catch { /* there is no room for it, or none at all */ }
    state("edited here, not saved");
  }

  // restore puts an edit back that the page doesn't have.
  function restore() {
    const text = document.getElementById("text");
    if (!text || text.hasAttribute("data-edited")) return;
    try {
      const edit = JSON.parse(sessionStorage.getItem(kept(text)));
      if (!edit || edit.text === text.value) return;
      text.value = edit.text;
      state("your edit, not saved" + (edit.sum === text.dataset.sum ? "" : "; the file has changed since"));
    } catch { /* nothing was kept */ }
  }

  async function send(button) {
    const again = button.value === "again";
    const text = document.getElementById("text");
    if (again && text) try { sessionStorage.removeItem(kept(text)); } catch { /* nothing was kept */ }
    const body = new URLSearchParams(new FormData(form));
    if (button.name) body.set(button.name, button.value);
    body.set("part", "answer");
    asked?.abort();
    const mine = asked = new AbortController();
    const compares = button.id === "compare";
    const place = document.getElementById(compares ? "past" : "answer");
    const progress = compares ? working(mine) : null;
    place.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(compares ? button.formAction : form.action, { method: "POST", body, signal: mine.signal });
      const html = await answer.text();
      if (!answer.ok) throw new Error(new DOMParser().parseFromString(markup.createHTML(html), "text/html").querySelector("p")?.textContent || answer.statusText);
      for (const fresh of [...fragment(html).children]) put(fresh);
      if (button.value === "file") restore();
    } catch (e) {
      const p = document.createElement("p");
      p.className = "problem";
      p.textContent = e.name === "AbortError" ? "Cancelled." : e.message;
      if (asked === mine || compares) place.replaceChildren(p);
    } finally {
      place.removeAttribute("aria-busy");
      progress?.();
      if (asked === mine) asked = null;
    }
  }

  // put has a part of the page say what a fresh one says. The field of the event stays the same element, with its focus.
  function put(fresh) {
    const at = document.getElementById(fresh.id);
    if (fresh.id === "event-part") {
      const value = fresh.querySelector("textarea").value, field = document.getElementById("event");
      if (field.value !== value) field.value = value;
      return;
    }
    const focused = at.contains(document.activeElement) ? document.activeElement : null;
    at.replaceChildren(...fresh.childNodes);
    if (focused) (at.querySelector(focused.value ? `[value="${CSS.escape(focused.value)}"]` : "a") || at.querySelector("textarea, a"))?.focus();
  }

  // working says that a comparison goes on, and for how long, with a button that ends it.
  function working(mine) {
    const at = document.getElementById("past-progress"), since = Date.now();
    const cancel = document.createElement("button");
    cancel.type = "button";
    cancel.textContent = "Cancel";
    cancel.addEventListener("click", () => mine.abort());
    const text = document.createElement("span");
    text.textContent = "comparing … ";
    const count = document.createElement("span");
    count.setAttribute("aria-hidden", "true");
    at.replaceChildren(text, count, cancel);
    const tick = setInterval(() => { count.textContent = Math.round((Date.now() - since) / 1000) + " s "; }, 1000);
    return () => {
      clearInterval(tick);
      if (at.contains(cancel)) at.replaceChildren();
    };
  }

  form.addEventListener("submit", (e) => {
    e.preventDefault();
    send(e.submitter || form.querySelector("button"));
  });
  form.addEventListener("input", (e) => { if (e.target.id === "text") keep(); });
  form.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && !e.isComposing) {
      e.preventDefault();
      form.requestSubmit(form.querySelector("button.primary"));
    } else if (e.key === "Enter" && e.target.closest("#what-would-have-been select")) {
      e.preventDefault();
      form.requestSubmit(document.getElementById("compare"));
    }
  });
  form.addEventListener("click", (e) => { // to a line of the hook
    const link = e.target.closest("a[data-line]"), text = document.getElementById("text");
    if (!link || !text) return;
    e.preventDefault();
    const lines = text.value.split("\n"), line = Math.min(Number(link.dataset.line), lines.length);
    const from = lines.slice(0, line - 1).reduce((n, l) => n + l.length + 1, 0);
    text.focus();
    text.setSelectionRange(from, from + lines[line - 1].length);
    text.scrollTop = Math.max(0, (line - 4) * text.scrollHeight / lines.length);
  });
  restore();
}

// copy puts a button beside each command that is to be typed in a terminal.
function copy() {
  if (!navigator.clipboard) return;
  for (const code of document.querySelectorAll("code[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    const told = document.createElement("span");
    told.className = "hidden";
    told.setAttribute("role", "status");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        told.textContent = "copied";
        button.textContent = "Copied";
      } catch {
        told.textContent = "it can't be copied here";
      }
    });
    code.after(button, told);
  }
}

// panel shows records of a session beside it. Arrow keys go from mark to mark on the timeline.
function panel() {
  const session = document.getElementById("session");
  if (!session) return;
  const box = document.createElement("aside");
  box.className = "panel";
  box.tabIndex = -1;
  box.setAttribute("aria-label", "Record");
  const close = document.createElement("button");
  close.type = "button";
  close.className = "close";
  close.textContent = "Close";
  const said = document.createElement("p");
  said.className = "said";
  said.setAttribute("aria-hidden", "true"); // each mark has it as its name
  said.textContent = "Arrow keys go from mark to mark, Enter shows the record, Escape closes it.";
  session.querySelector(".key").before(said);
  let opener = null;
  let asked = 0;

  function hide() {
    if (!box.isConnected) return;
    box.remove();
    for (const shown of session.querySelectorAll(".shown")) shown.classList.remove("shown");
    opener?.focus();
  }

  async function show(link) {
    const turn = ++asked;
    const href = link.getAttribute("href");
    try {
      const answer = await fetch(href + "&part=body");
      if (!answer.ok) throw new Error(answer.statusText);
      const body = fragment(await answer.text());
      if (turn !== asked) return;
      box.replaceChildren(close, body);
    } catch {
      location.href = href;
      return;
    }
    for (const shown of session.querySelectorAll(".shown")) shown.classList.remove("shown");
    for (const same of session.querySelectorAll("a[href]")) if (same.getAttribute("href") === href) (same.closest(".row") || same).classList.add("shown");
    opener = link;
    if (!box.isConnected) session.append(box);
    box.scrollTop = 0;
    box.focus();
  }

  session.addEventListener("click", (e) => {
    const link = e.target.closest("a.mark, a.what");
    if (!link || e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
    e.preventDefault();
    show(link);
  });
  close.addEventListener("click", hide);
  document.addEventListener("keydown", (e) => {
    if (e.key === "Escape") hide();
  });

  for (const drawing of session.querySelectorAll("svg[role=group]")) {
    const marks = [...drawing.querySelectorAll("a.mark")].sort((a, b) => a.dataset.n - b.dataset.n);
    let current = marks[0];
    current?.setAttribute("tabindex", "0");
    const tell = (e) => {
      const title = e.target.closest("a.mark, g.pause")?.querySelector("title");
      if (title) said.textContent = title.textContent;
    };
    drawing.addEventListener("mouseover", tell);
    drawing.addEventListener("focusin", (e) => {
      tell(e);
      const mark = e.target.closest("a.mark");
      if (!mark) return;
      current.setAttribute("tabindex", "-1");
      current = mark;
      current.setAttribute("tabindex", "0");
    });
    drawing.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const at = marks.indexOf(current);
      const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: marks.length - 1 }[e.key];
      if (to === undefined) return;
      e.preventDefault();
      marks[Math.min(marks.length - 1, Math.max(0, to))].focus();
    });
  }
}

play();
live();
older();
filter();
keys();
copy();
panel();
