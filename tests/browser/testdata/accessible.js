// Looks at what can be seen: every control has a name, every text stands out from its ground by 4.5 to 1, nothing is wider than the window.
(() => {
  const problems = [];
  const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.getClientRects().length > 0;
  const parse = (text) => {
    const srgb = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)$/.exec(text);
    if (srgb) return [srgb[1] * 255, srgb[2] * 255, srgb[3] * 255, srgb[4] === undefined ? 1 : Number(srgb[4])];
    const found = text.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    return found.length === 3 ? [...found, 1] : found;
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)];
  const ground = (element) => {
    const colours = [];
    for (let at = element; at; at = at.parentElement) colours.push(parse(getComputedStyle(at).backgroundColor));
    return colours.reverse().reduce((below, colour) => over(colour, below), [255, 255, 255]);
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  for (const control of document.querySelectorAll("button, input, select, textarea, a[href], [role=grid], canvas")) {
    if (!seen(control)) continue;
    const name = control.getAttribute("aria-label") || control.labels?.[0]?.textContent || (control.matches("button, a") ? control.textContent.trim() : "");
    if (!name) problems.push("no name: " + control.outerHTML.slice(0, 120));
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !element || !seen(element) || element.matches("script, style, noscript, option, :disabled, :disabled *")) continue;
    const below = ground(element);
    const colour = parse(getComputedStyle(element).color);
    if (colour[3] === 0) continue;
    const [a, b] = [light(over(colour, below)), light(below)].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) problems.push("contrast " + ((a + 0.05) / (b + 0.05)).toFixed(2) + ": " + node.textContent.trim().slice(0, 60) + " in " + element.tagName + "." + element.className);
  }
  if (document.documentElement.scrollWidth > innerWidth + 1) problems.push("wider than the window: " + document.documentElement.scrollWidth);
  return [...new Set(problems)].slice(0, 12);
})()
