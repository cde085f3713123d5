// Values of a world as text.

/**
 * A value of a field as one line: numbers as they are, tables as JSON.
 * @param {unknown} value
 * @returns {string}
 */
export function valueText(value) {
  if (value === null || value === undefined) return "nil";
  if (typeof value === "number") return numberText(value);
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  return JSON.stringify(value);
}

/**
 * A number with at most seven digits behind the point, none of them if it is whole.
 * @param {number} n
 */
export function numberText(n) {
  if (Number.isInteger(n)) return String(n);
  const size = Math.abs(n);
  if (size >= 1e-4 && size < 1e9) return String(Number(n.toPrecision(8)));
  return n.toPrecision(6);
}

/**
 * A count with thin spaces between groups of three digits: 1 000 000.
 * @param {number} n
 */
export function countText(n) {
  return Math.trunc(n).toString().replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009");
}

/**
 * Seconds as µs, ms or s with three digits.
 * @param {number} seconds
 */
export function durationText(seconds) {
  if (!Number.isFinite(seconds)) return "–";
  if (seconds === 0) return "0 s";
  if (seconds < 1e-3) return (seconds * 1e6).toPrecision(3) + " µs";
  if (seconds < 1) return (seconds * 1e3).toPrecision(3) + " ms";
  if (seconds < 120) return seconds.toFixed(2) + " s";
  return Math.floor(seconds / 60) + " min " + Math.floor(seconds % 60) + " s";
}

/**
 * A share of one as a percentage.
 * @param {number} share
 */
export function shareText(share) {
  return Number.isFinite(share) ? (share * 100).toFixed(share < 0.1 ? 1 : 0) + " %" : "–";
}

/**
 * The components of a row as `Position { x 3, y 4 }`, for a line of a list.
 * @param {Record<string, any>} fields
 */
export function fieldsText(fields) {
  return Object.entries(fields).map(([name, value]) => name + " " + valueText(value)).join("  ");
}

/**
 * Whether a value is an entity, such as "17v2".
 * @param {unknown} value
 * @returns {value is string}
 */
export function isEntity(value) {
  return typeof value === "string" && /^\d+v\d+$/.test(value);
}
