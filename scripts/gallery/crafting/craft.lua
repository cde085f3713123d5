-- Makes what was ordered, or says what is missing.
local recipes = require("gallery.crafting.recipes")
local store = require("gallery.crafting.store")

return function(world)
  for order in world:drain("Order") do
    local recipe, short = recipes[order.recipe], false
    for kind, count in pairs(recipe.of) do
      local have = store.count(world, order.at, kind)
      if have < count then
        short = true
        world:send("Missing", { at = order.at, recipe = order.recipe, kind = kind, count = count - have })
      end
    end
    if not short then
      for kind, count in pairs(recipe.of) do store.take(world, order.at, kind, count) end
      store.put(world, order.at, order.recipe, recipe.makes)
      world:send("Made", { at = order.at, kind = order.recipe, count = recipe.makes })
    end
  end
end
