// Every visible piece of text that stands out too little from what lies under its middle, by the WCAG 2 formula.
() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const known = new Map();
  const ancestors = element => element ? [element, ...ancestors(element.parentElement)] : [];
  const rgba = (colour, element) => {  // as it is seen, through the filters of all that the element is in
    const filters = ancestors(element).map(at => getComputedStyle(at).filter).filter(filter => filter !== "none");
    const key = [colour, ...filters].join(" ");
    if (!known.has(key)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.filter = filters.join(" ") || "none";
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(key, [r, g, b, a / 255]);
    }
    return known.get(key);
  };
  const luminance = colour => {
    const [r, g, b] = colour.slice(0, 3).map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((c, i) => c * a + under[i] * (1 - a)).concat(1);
  const ratio = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const drawn = element => element instanceof SVGElement && element.tagName !== "svg";
  const opacity = element => {
    let share = 1;
    for (let at = element; at; at = at.parentElement) share *= Number(getComputedStyle(at).opacity);
    return share;
  };
  const painted = element => {  // what an element puts under the text above it
    const style = getComputedStyle(element);
    if (drawn(element) && (["g", "text", "tspan"].includes(element.tagName) || style.fill === "none")) return null;
    const [r, g, b, a] = rgba(drawn(element) ? style.fill : style.backgroundColor, element);
    const share = a * (drawn(element) ? Number(style.fillOpacity) : 1) * opacity(element);
    return share > 0 ? [r, g, b, share] : null;
  };
  const reachable = new CSSStyleSheet();
  reachable.replaceSync("* { pointer-events: all !important }");  // so that whatever is under a point is found
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, reachable];
  const page = matchMedia("(prefers-color-scheme: dark)").matches &&
    getComputedStyle(document.documentElement).colorScheme.includes("dark") ? [18, 18, 18, 1] : [255, 255, 255, 1];
  const faint = [];
  let seen = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement, said = node.textContent.trim();
    if (!said || element.closest("script, style, title, desc, option, [disabled], .visually-hidden")) continue;
    if (!element.checkVisibility({opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true})) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getClientRects()[0];
    if (!box || box.width < 1 || box.height < 1) continue;
    const stack = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const place = stack.indexOf(element);
    const under = (place < 0 ? ancestors(element) : stack.slice(place)).map(painted).filter(colour => colour);
    const ground = under.reduceRight((lower, colour) => over(colour, lower), page);
    const style = getComputedStyle(element);
    const [r, g, b, a] = rgba(drawn(element) ? style.fill : style.color, element);
    const shown = ratio(over([r, g, b, a * opacity(element)], ground), ground);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    seen += 1;
    if (shown < least) faint.push(`${shown.toFixed(2)} < ${least}: ${said.slice(0, 60)} (${element.tagName} ${element.getAttribute("class") || ""} ${style.color} on ${ground})`);
  }
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter(sheet => sheet !== reachable);
  return {seen, faint};
}
