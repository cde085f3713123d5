-- The two sides, and which resources hold their numbers. Soldier.side is the key: 0 is the Ravens, who begin on the left, 1 the Stags.
local function side(name, one, key)
  return {
    name = name, -- of all of them; one is one of them
    one = one,
    alive = key, -- in the field
    mustered = key .. "_mustered", -- who ever came
    fallen = key .. "_fallen",
    burnt = key .. "_burnt",
    fled = key .. "_fled",
    x = key .. "_x",
    y = key .. "_y",
    general = key .. "_general",
    plan = key .. "_plan",
  }
end

local sides = { [0] = side("Ravens", "Raven", "ravens"), [1] = side("Stags", "Stag", "stags") }

-- other gives the key of the enemy.
function sides.other(key) return 1 - key end

return sides
