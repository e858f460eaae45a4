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

const narrow = (place) => place.clientWidth < 520;
const inRows = (spec) => typeof spec.height === "object" && typeof spec.width === "number";
const inCells = (spec) => typeof spec.height === "object" && typeof spec.width === "object";
const excess = (place) => place.firstElementChild.getAttribute("width") - place.clientWidth;

// Layers share their axes, and must say the same of them.
function eachAxis(spec, way, look) {
  for (const { encoding } of spec.layer) if (encoding?.[way]?.axis) Object.assign(encoding[way].axis, look);
}

// On a phone a row's label and numbers stand above its interval, on paper of their own where a line would cross them.
function stacked(spec, room) {
  const named = spec.layer.find(({ encoding }) => encoding?.y?.axis).encoding;
  const numbers = spec.layer.find(({ encoding }) => encoding?.text?.field === "numbers");
  const wide = 7 * Math.max(...spec.datasets[(numbers.data ?? spec.data).name].map((row) => row.numbers.length));
  const { y, tooltip } = named;
  eachAxis(spec, "y", { labels: false, grid: false });
  spec.height = { step: 36 };
  const halo = { stroke: spec.config.background, strokeWidth: 7, strokeJoin: "round" };
  const words = (field, x, align, limit) => [halo, {}].map((edge) => ({
    data: numbers.data,
    mark: { type: "text", style: "value", align, limit, dy: -11, ...edge },
    encoding: { y, tooltip, x: { value: x }, text: { field, type: "nominal" } },
  }));
  spec.layer = [
    ...spec.layer.filter((layer) => layer !== numbers),
    ...words("row", 0, "left", room - wide),
    ...words("numbers", "width", "right", wide),
  ];
  spec.config.legend = { ...spec.config.legend, direction: "vertical", offset: 22 };
}

// Cells as small as there is room for; what no longer fits into one is in the tables and under the pointer.
function packed(spec, over) {
  const { x } = spec.layer[0].encoding;
  const step = Math.max(7, Math.floor(spec.width.step - over / x.scale.domain.length));
  const longest = Math.max(...x.scale.domain.map((name) => name.length));
  const needed = { counted: 18, estimated: 50, brief: 86 };
  spec.width = spec.height = { step };
  spec.layer = spec.layer.filter(({ encoding }) => !(step < needed[encoding.text?.field]));
  for (const { mark, encoding } of spec.layer) {  // fewer lines of text, and still in the middle
    if (encoding.text?.field === "counted" && step < needed.brief) mark.dy = step < needed.estimated ? 0 : -7;
    if (encoding.text?.field === "estimated" && step < needed.brief) mark.dy = 10;
  }
  const small = { labelFontSize: 11, labelOverlap: step < 13 && "parity" };
  eachAxis(spec, "x", longest * 7 > step ? { ...small, labelAngle: -90 } : small);
  eachAxis(spec, "y", small);
}

// As wide as there is room, but no wider than it was made; what was square stays so.
async function fit(place) {
  const { view, spec, small } = drawn.get(place);
  if (inCells(spec) || (inRows(spec) && small !== narrow(place))) return draw(place);
  for (let again = 3; again > 0; again -= 1) {  // what stands at the edges changes too
    const room = Math.max(120, Math.min(spec.width, Math.floor(view.width() - excess(place))));
    if (room === view.width()) return;
    if (spec.height === spec.width) view.height(room);
    await view.width(room).resize().runAsync();
  }
}

async function draw(place) {
  const spec = structuredClone(data.charts[Number(place.dataset.chart)]);
  spec.config = (dark.matches && spec.usermeta?.dark) || spec.config || {};
  spec.config.font = getComputedStyle(document.body).fontFamily;
  spec.background = "transparent";
  place.classList.toggle("on-dark", dark.matches);
  const small = narrow(place);
  const options = { ast: true, actions: false, renderer: "svg", defaultStyle: false, tooltip: hover, logLevel: 1 };
  const embed = async () => {
    drawn.get(place)?.finalize();
    const { view, finalize } = await vegaEmbed(place, spec, options);
    drawn.set(place, { view, spec, small, finalize });
  };
  try {
    if (small && inRows(spec)) stacked(spec, place.clientWidth);
    await embed();
    for (let again = 2; again > 0 && inCells(spec) && excess(place) > 0; again -= 1) {
      packed(spec, excess(place));
      await embed();
    }
    if (!inCells(spec)) await fit(place);
  } catch (error) {
    drawn.delete(place);
    place.textContent = "This picture could not be drawn; its numbers are in the tables.";
    console.error(error);
  }
}

const drawn = new Map();
let last = Promise.resolve();
const inTurn = (step) => { last = last.then(step); };
const drawAll = () => Promise.all([...document.querySelectorAll("[data-chart]")].map(draw));
dark.addEventListener("change", () => inTurn(drawAll));
addEventListener("resize", () => inTurn(() => Promise.all([...drawn.keys()].map(fit))));
inTurn(drawAll);
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
