// A saved page: one HTML file that opens without a server and asks nobody for anything.

import { download } from "./dom.js";
import { RunError } from "./rpc.js";
import { logged, logAgain } from "./log.js";
import { plotted, plotAgain } from "./plots.js";

const rowsKept = 5000;

/** The facts that a saved page holds, null in a live one. */
export function savedFacts() {
  const place = document.querySelector("#saved-facts");
  if (!place) return null;
  const facts = JSON.parse(place.textContent ?? "{}");
  logAgain(facts.log);
  plotAgain(facts.plots);
  return facts;
}

/** Answers from the facts of a saved page what a run would answer. */
export class SavedConnection extends EventTarget {
  /** @param {any} facts */
  constructor(facts) {
    super();
    this.facts = facts;
    this.saved = true;
    this.state = "connecting";
  }

  open() {
    this.state = "open";
    this.dispatchEvent(new Event("state"));
  }

  watch() {
    return () => {};
  }

  /**
   * @param {string} method
   * @param {Record<string, any>} [params]
   * @returns {Promise<any>}
   */
  async call(method, params = {}) {
    const facts = this.facts;
    const row = (/** @type {string} */ entity) => facts.rows.find((/** @type {any} */ one) => one.entity === entity);
    switch (method) {
      case "world.info":
        return facts.info;
      case "world.query": {
        if (params.where || params.sort) throw new RunError("a saved page cannot evaluate this; it holds the rows as they were");
        const rows = facts.rows.filter((/** @type {any} */ one) => matches(params.query ?? "", one));
        const from = typeof params.cursor === "number" ? params.cursor : 0;
        return { rows: rows.slice(from, from + (params.limit ?? 100)), total: rows.length, cursor: null };
      }
      case "entity.get":
        if (facts.entities[params.entity]) return facts.entities[params.entity];
        if (!row(params.entity)) throw new RunError("the saved page does not hold " + params.entity);
        return { ...row(params.entity), components: Object.fromEntries(Object.entries(row(params.entity).components).map(([name, set]) => [name, { set }])) };
      case "schedule.turns":
        return params.after >= 0 ? { systems: facts.turns.systems, first: params.after + 1, frames: [] } : facts.turns;
      case "system.explain":
        return facts.loops[params.system] ?? { loops: [] };
      case "history.list":
        return { on: false };
      case "world.points": {
        const [cx, fx] = params.x.split(".");
        const [cy, fy] = params.y.split(".");
        const [cc, fc] = (params.colour ?? ".").split(".");
        const found = facts.rows.filter((/** @type {any} */ one) => one.components[cx] && one.components[cy] && matches(params.query ?? "", one));
        const x = found.map((/** @type {any} */ one) => Number(one.components[cx][fx]));
        const y = found.map((/** @type {any} */ one) => Number(one.components[cy][fy]));
        return { entities: found.map((/** @type {any} */ one) => one.entity), x, y, colour: fc ? found.map((/** @type {any} */ one) => Number(one.components[cc]?.[fc] ?? 0)) : [], shape: [], total: found.length,
          low: [Math.min(...x), Math.min(...y)], high: [Math.max(...x), Math.max(...y)] };
      }
    }
    throw new RunError("a saved page has no run behind it");
  }
}

/**
 * Whether a row has what a query asks for. A saved page knows names, tags, ! and ?.
 * @param {string} query
 * @param {any} row
 */
export function matches(query, row) {
  return query.split(",").map((term) => term.trim()).filter(Boolean).every((term) => {
    const not = term.startsWith("!");
    const name = term.replace(/^[!?]/, "");
    if (term.startsWith("?")) return true;
    if (name.startsWith("(") || name.startsWith("changed")) throw new RunError("a saved page knows components, #tags, ! and ?");
    const has = name.startsWith("#") ? (row.tags ?? []).includes(name.slice(1)) : name in row.components;
    return has !== not;
  });
}

/**
 * Collects what the page shows, and offers it as one file.
 * @param {import("./run.js").Run} run
 */
export async function savePage(run) {
  const call = (/** @type {string} */ method, /** @type {any} */ params) => run.connection.call(method, params).catch(() => null);
  const info = await run.connection.call("world.info", {});
  const rows = [];
  for (let cursor = null; rows.length < rowsKept; ) {
    const found = /** @type {any} */ (await call("world.query", cursor ? { limit: 1000, cursor } : { limit: 1000 }));
    if (!found) break;
    rows.push(...found.rows);
    cursor = found.cursor;
    if (!cursor) break;
  }
  /** @type {Record<string, any>} */
  const entities = {};
  for (const entity of new Set([run.selected, ...run.pins])) if (entity) entities[entity] = await call("entity.get", { entity });
  /** @type {Record<string, any>} */
  const loops = {};
  for (const system of info.systems ?? []) loops[system.name] = await call("system.explain", { system: system.name });
  const turns = (await call("schedule.turns", { after: -1 })) ?? { systems: [], first: 0, frames: [] };
  const facts = { info: { ...info, paused: true }, rows, entities, loops, turns, log: logged(), plots: plotted() };
  const [style, script] = await Promise.all([text("page.css"), bundle("page.js")]);
  const page = "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>saved</title><link rel=\"icon\" href=\"data:,\"><style>\n" + style +
    "</style></head>\n<body><inspector-page></inspector-page>\n<script type=\"application/json\" id=\"saved-facts\">" + JSON.stringify(facts).replace(/</g, "\\u003c") + "</" + "script>\n<script>\n" + script.replace(/<\/script/g, "<\\/script") + "</" + "script></body>\n</html>\n";
  download("ecsrun-frame-" + info.frame + ".html", page, "text/html");
}

/** @param {string} name */
async function text(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(name + ": " + answer.status);
  return answer.text();
}

/**
 * The modules of the page as one script: each becomes a function that is called once, those that it imports first.
 * @param {string} main
 */
export async function bundle(main) {
  /** @type {Map<string, string>} */
  const done = new Map();
  /** @param {string} name */
  const variable = (name) => "module_" + name.replace(/\W/g, "_");
  /** @param {string} name */
  const take = async (name) => {
    if (done.has(name)) return;
    done.set(name, "");
    let source = await text(name);
    const imported = [...source.matchAll(/^import \{([^}]*)\} from "\.\/([\w.-]+)";$/gm)];
    for (const [, , other] of imported) await take(other);
    const exported = [...source.matchAll(/^export (?:async )?(?:class|function|const) (\w+)/gm)].map((found) => found[1]);
    source = source.replace(/^import \{([^}]*)\} from "\.\/([\w.-]+)";$/gm, (_, list, other) => "const {" + list + "} = " + variable(other) + ";").replace(/^export /gm, "");
    done.delete(name); // so that the order of the map is the order in which the modules run
    done.set(name, "const " + variable(name) + " = (() => {\n" + source + "\nreturn { " + exported.join(", ") + " };\n})();\n");
  };
  await take(main);
  return [...done.values()].join("");
}

