// Swaps text that was made beforehand; computes nothing, and writes text, never markup.
const find = (id) => document.getElementById(id);
const data = JSON.parse(find("data").textContent);

// ---- pictures ----
const tip = find("tip");
const dark = matchMedia("screen and (prefers-color-scheme: dark)");

function hover(handler, event, item, value) {
  tip.hidden = value === null || value === undefined || value === "";
  if (tip.hidden) return;
  const told = typeof value === "object" ? Object.entries(value).map(([key, text]) => `${key}: ${text}`) : [String(value)];
  tip.replaceChildren(...told.map((text) => Object.assign(document.createElement("div"), { textContent: text })));
  const { width, height } = tip.getBoundingClientRect();
  const right = event.clientX + 14, below = event.clientY + 14;
  tip.style.left = `${Math.max(4, right + width > innerWidth ? event.clientX - width - 14 : right)}px`;
  tip.style.top = `${Math.max(4, below + height > innerHeight ? event.clientY - height - 14 : below)}px`;
}

// A phone has room for the labels of rows or for the numbers beside them; those are in the tables.
function narrowed(spec) {
  spec.layer = spec.layer?.filter((layer) => layer.encoding?.text?.field !== "numbers");
  for (const { encoding } of spec.layer ?? []) if (encoding?.y?.axis) encoding.y.axis.labelLimit = 116;
  spec.config.legend = { ...spec.config.legend, direction: "vertical", labelFontSize: 10 };
}

// As wide as there is room, but no wider than it was made; what was square stays so.
function fitting(place, view, { width, height }) {
  const excess = () => place.firstElementChild.getAttribute("width") - place.clientWidth;
  const fit = async () => {
    for (let again = 3; again > 0 && typeof width === "number"; again -= 1) {  // what stands at the edges changes too
      const room = Math.max(120, Math.min(width, Math.floor(view.width() - excess())));
      if (room === view.width()) return;
      if (height === width) view.height(room);
      await view.width(room).resize().runAsync();
    }
  };
  let last = Promise.resolve();
  return () => (last = last.then(fit));  // one after the other
}

async function draw(place) {
  const spec = structuredClone(data.charts[Number(place.dataset.chart)]);
  spec.config = (dark.matches && spec.usermeta?.dark) || spec.config || {};
  spec.background = "transparent";
  place.classList.toggle("on-dark", dark.matches);
  if (place.clientWidth < 520 && typeof spec.height === "object") narrowed(spec);
  const options = { ast: true, actions: false, renderer: "svg", defaultStyle: false, tooltip: hover, logLevel: 1 };
  try {
    const { view } = await vegaEmbed(place, spec, options);
    drawn.set(place, fitting(place, view, spec));
    await drawn.get(place)();
  } catch (error) {
    place.textContent = "This picture could not be drawn; its numbers are in the tables.";
    console.error(error);
  }
}

const drawn = new Map();
const drawAll = () => document.querySelectorAll("[data-chart]").forEach(draw);
dark.addEventListener("change", drawAll);
addEventListener("resize", () => drawn.forEach((again) => again()));
drawAll();
addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });

// ---- threshold ----
function explore({ steps, why, own }) {
  const slider = find("threshold");
  const show = () => {
    const at = Number(slider.value);
    const [threshold, counts, rates] = steps[at];
    find("threshold-value").textContent = threshold;
    ["tp", "fp", "fn", "tn"].forEach((id, i) => { find(id).textContent = counts[i]; });
    ["recall", "specificity", "precision"].forEach((name, i) => {
      const cells = find(`rate-${name}`).querySelectorAll("td");
      rates[i].forEach((text, j) => { cells[j].textContent = text; });
    });
    slider.setAttribute("aria-valuetext", `${threshold}: recall ${rates[0][0]}, specificity ${rates[1][0]}`);
    find("threshold-why").textContent = why[at === own ? 0 : 1];
    const back = find("threshold-declared");
    if (back) back.disabled = at === own;
  };
  slider.addEventListener("input", show);
  find("threshold-declared")?.addEventListener("click", () => { slider.value = own; show(); });
  show();
}
if (data.explorer) explore(data.explorer);

// ---- confidence ----
if (data.levels) {
  const form = find("confidence");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", ({ target }) => {
    const limits = data.levels[Number(target.value)];
    const name = target.nextElementSibling.firstChild.textContent.trim();
    for (const cell of document.querySelectorAll("[data-line]")) cell.textContent = limits[Number(cell.dataset.line)];
    for (const level of document.querySelectorAll(".level")) level.textContent = name;
  });
}

// ---- print: what is folded up is unfolded, and folded again ----
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details.printed:not([open])")];
  for (const part of folded) part.open = true;
});
addEventListener("afterprint", () => {
  for (const part of folded) part.open = false;
});
