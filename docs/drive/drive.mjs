// Drives a world with `ecsrun rpc`, with nothing but Node's own library.
//
//     node docs/drive/drive.mjs config/arena.yaml

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A world that another program runs: await world.call(method, params). */
class World {
  constructor(config, flags = [], program = "ecsrun") {
    this.process = spawn(program, ["rpc", config, ...flags], { stdio: ["pipe", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => this.process.on("close", resolve));
    this.waiting = new Map();
    this.last = 0;
    createInterface({ input: this.process.stdout }).on("line", (line) => {
      const { id, result, error } = JSON.parse(line);
      const call = this.waiting.get(id); // none for notifications of a watch
      this.waiting.delete(id);
      if (error) call?.reject(new Error(error.message));
      else call?.resolve(result);
    });
    this.ended.then(() => this.waiting.forEach((call) => call.reject(new Error("the run has ended"))));
  }

  call(method, params = {}) {
    const id = ++this.last;
    this.process.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  close() {
    this.process.stdin.end();
    return this.ended;
  }
}

const [config, ...flags] = process.argv.slice(2);
const world = new World(config, flags);
await world.call("run.step", { frames: 3 });
const info = await world.call("world.info", { digest: true });
console.log("frame", info.frame, "has", info.entities, "entities, digest", info.digest);

const component = info.components[0].name;
const page = await world.call("world.query", { query: component, limit: 2 });
console.log(page.total, "entities have", component);
for (const row of page.rows) console.log(row.entity, JSON.stringify(row.components[component]));

const hero = await world.call("entity.spawn", { set: { [component]: {} }, as: "hero" });
console.log("spawned", hero, "by", (await world.call("entity.get", { entity: "@hero" })).components[component].by);
process.exit(await world.close());
