-- Run with: ecsrun test scripts/gallery/crafting
local t = require("ecs.test")
local store = require("gallery.crafting.store")

describe("a chest", function()
  it("stacks what is of one kind", function()
    local world = t.world{ config = "../../../config/gallery/crafting.yaml", systems = {} }
    local chest = world:spawn{ Container = { name = "chest" } }
    store.put(world, chest, "log", 2)
    store.put(world, chest, "log", 3)
    assert.equal(5, store.count(world, chest, "log"))
    assert.equal(1, world:count("Item"))
    store.take(world, chest, "log", 5)
    assert.equal(0, store.count(world, chest, "log"))
  end)
end)
