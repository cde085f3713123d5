"""Drives a world with `ecsrun rpc`, with nothing but Python's own library.

    python3 docs/drive/drive.py config/arena.yaml
"""

import json
import subprocess
import sys


class World:
    """A world that another program runs: world.call(method, param=value, ...)."""

    def __init__(self, config, *flags, program="ecsrun"):
        self.process = subprocess.Popen(
            [program, "rpc", config, *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.last = 0

    def call(self, method, **params):
        self.last += 1
        json.dump({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}, self.process.stdin)
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.last:  # others are notifications of a watch
                if "error" in answer:
                    raise RuntimeError(answer["error"]["message"])
                return answer["result"]
        raise RuntimeError("the run has ended")

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


def main():
    world = World(sys.argv[1], *sys.argv[2:])
    world.call("run.step", frames=3)
    info = world.call("world.info", digest=True)
    print("frame", info["frame"], "has", info["entities"], "entities, digest", info["digest"])

    component = info["components"][0]["name"]
    page = world.call("world.query", query=component, limit=2)
    print(page["total"], "entities have", component)
    for row in page["rows"]:
        print(row["entity"], row["components"][component])

    hero = world.call("entity.spawn", set={component: {}}, **{"as": "hero"})
    print("spawned", hero, "by", world.call("entity.get", entity="@hero")["components"][component]["by"])
    sys.exit(world.close())


if __name__ == "__main__":
    main()
