// What all views share: the connection, what the world is made of, the selected entity, the pinned ones, and the address.

import { say } from "./dom.js";
import { isEntity } from "./format.js";

/**
 * @typedef {{ name: string, type: string, min?: number, max?: number, values?: string[], default?: any }} Field
 * @typedef {{ name: string, fields: Field[], entities?: number }} Component
 * @typedef {{ name: string, stage: string, impl: string, enabled: boolean, every: number, turns: number, failures: number, seconds: number, share: number, last?: number, error?: string, when?: string }} System
 * @typedef {{ name: string, value: any, fields?: Field[], type?: string }} Resource
 * @typedef {{ config?: string, frame: number, time: number, dt: number, seed: any, paused: boolean, speed: number, entities: number, edited: boolean,
 *   components: Component[], tags: any[], events: any[], resources: any[], relations: any[], systems: System[], turn?: string|null, ended?: string|null, as_of?: any }} Info
 */

/**
 * The run that the page looks at. It tells "info" when new facts came, "frame" when the frame changed, "select" when another entity is
 * selected, and "pins".
 */
export class Run extends EventTarget {
  /** @param {any} connection */
  constructor(connection) {
    super();
    this.connection = connection;
    /** @type {Info|null} */
    this.info = null;
    this.selected = "";
    /** @type {string[]} */
    this.pins = [];
    this.view = "entities";
    this.query = "";
    this.busy = false;
    connection.addEventListener("state", () => {
      if (connection.state === "open") this.refresh();
      this.tell("state");
    });
  }

  /** @param {string} what */
  tell(what) {
    this.dispatchEvent(new Event(what));
  }

  /** Asks the run for its facts, unless an earlier question is still open. */
  async refresh() {
    if (this.busy || this.connection.state !== "open") return;
    this.busy = true;
    try {
      const before = this.info?.frame;
      this.info = await this.connection.call("world.info");
      this.tell("info");
      if (this.info?.frame !== before) this.tell("frame");
    } catch {
      // the state of the connection says it
    } finally {
      this.busy = false;
    }
  }

  /**
   * Calls a method that changes something, says its error, and looks at the world again.
   * @param {string} method
   * @param {Record<string, any>} params
   * @param {string} [done] what to say when it worked
   * @returns {Promise<{ ok: boolean, value: any }>}
   */
  async change(method, params, done = "") {
    try {
      const value = await this.connection.call(method, params);
      if (value === false) {
        say("the entity is dead", "bad");
        return { ok: false, value };
      }
      if (done) say(done);
      return { ok: true, value };
    } catch (error) {
      say(/** @type {Error} */ (error).message, "bad");
      return { ok: false, value: null };
    } finally {
      await this.refresh();
      this.tell("frame");
    }
  }

  /** @param {string} entity */
  select(entity) {
    this.selected = entity;
    this.writeAddress();
    this.tell("select");
  }

  /** @param {string} entity */
  pin(entity) {
    if (!isEntity(entity)) return;
    this.pins = this.pins.includes(entity) ? this.pins.filter((one) => one !== entity) : [...this.pins, entity];
    this.tell("pins");
  }

  /** @param {string} view */
  show(view) {
    this.view = view;
    this.writeAddress();
    this.tell("view");
  }

  /** Reads view, query and entity from the address. */
  readAddress() {
    const parts = new URLSearchParams(location.hash.slice(1));
    this.view = parts.get("view") ?? (parts.get("entity") && innerWidth < 1000 ? "entity" : "entities");
    this.query = parts.get("q") ?? "";
    const entity = parts.get("entity") ?? "";
    this.selected = isEntity(entity) ? entity : "";
  }

  /** Writes view, query and entity into the address, so that it can be shared. */
  writeAddress() {
    const parts = new URLSearchParams();
    if (this.view !== "entities") parts.set("view", this.view);
    if (this.query) parts.set("q", this.query);
    if (this.selected) parts.set("entity", this.selected);
    const text = parts.toString();
    history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
  }

  /**
   * The fields of a component, with their types and ranges.
   * @param {string} component
   * @returns {Field[]}
   */
  fields(component) {
    return (this.info?.components.find((one) => one.name === component)?.fields ?? []).map(ranged);
  }
}

/** @type {Record<string, [number, number]>} */
const ranges = { i8: [-128, 127], u8: [0, 255], i16: [-32768, 32767], u16: [0, 65535], i32: [-2147483648, 2147483647], u32: [0, 4294967295], u64: [0, Infinity] };

/**
 * A field with the range of its type.
 * @param {Field} field
 * @returns {Field}
 */
export function ranged(field) {
  const range = ranges[field.type];
  return range ? { ...field, min: range[0], max: range[1] === Infinity ? undefined : range[1] } : field;
}

/**
 * The names of a list of the facts, whose items are names or objects with a name.
 * @param {any[]|undefined} list
 * @returns {string[]}
 */
export function names(list) {
  return (list ?? []).map((one) => (typeof one === "string" ? one : one.name));
}
