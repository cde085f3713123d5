-- The resources that hold the numbers of the two sides, by Soldier.side.
local function army(key) return { alive = key, mustered = key .. "_mustered", fled = key .. "_fled" } end

return { [0] = army("ravens"), [1] = army("stags") }
