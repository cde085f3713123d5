// Drawing on a canvas that follows its size, the density of the screen, and the colours of the page.

import { h } from "./dom.js";

/** Colours of series, told apart in light and dark and by most colour-blind readers; with more series they come again. */
export const seriesColours = ["#3b8ea5", "#d08c3f", "#6f9e5a", "#b5637a", "#7d74b8", "#a39a4a", "#4f9d8f", "#c2745a"];

/**
 * A canvas with a label for screen readers.
 * @param {string} label
 * @param {(context: CanvasRenderingContext2D, width: number, height: number) => void} draw
 */
export function drawing(label, draw) {
  const canvas = h("canvas", { role: "img", "aria-label": label, tabindex: "0" });
  const paint = () => {
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (width === 0 || height === 0) return;
    const density = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * density) || canvas.height !== Math.round(height * density)) {
      canvas.width = Math.round(width * density);
      canvas.height = Math.round(height * density);
    }
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, width, height);
    draw(context, width, height);
  };
  new ResizeObserver(paint).observe(canvas);
  return { canvas, paint };
}

/**
 * A colour of the page, as CSS has it now.
 * @param {string} name
 */
export function colour(name) {
  const probe = h("span", { hidden: true });
  probe.style.color = "var(--" + name + ")";
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/**
 * Round numbers between two values, at most `most` of them.
 * @param {number} low
 * @param {number} high
 * @param {number} most
 */
export function ticks(low, high, most) {
  const size = (high - low) / Math.max(1, most);
  if (!(size > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(size));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= size) ?? size;
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) found.push(Number(at.toPrecision(12)));
  return found;
}
