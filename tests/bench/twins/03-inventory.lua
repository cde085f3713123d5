-- Twin of 03-inventory: 10,000 adventurers with a list of items each.
local KINDS = { "apple", "bread", "sword", "rope", "torch" }
local FOOD = { apple = 8, bread = 15 }

return function(stream)
  local random = stream("start")
  local people, rotten = {}, {}

  local function start()
    for i = 1, 10000 do
      local items = {}
      for j = 1, random(1, 4) do
        items[j] = { kind = KINDS[random(#KINDS)], age = 0, weight = random(1, 12) }
      end
      people[i] = {
        Bag = { items = items, weight = 0, limit = 40 },
        Walker = { speed = 1, x = 0 },
        Purse = { coins = random(0, 50) },
      }
    end
  end

  local function rot(dt)
    for i = 1, #people do
      local e = people[i]
      local kept = {}
      for _, item in ipairs(e.Bag.items) do
        item.age = item.age + dt
        local life = FOOD[item.kind]
        if life and item.age > life then
          rotten[#rotten + 1] = { who = e, what = item.kind }
        else
          kept[#kept + 1] = item
        end
      end
      e.Bag.items = kept
    end
  end

  local function pickup()
    for i = 1, #people do
      local bag, purse = people[i].Bag, people[i].Purse
      if purse.coins >= 10 and bag.weight < bag.limit then
        purse.coins = purse.coins - 10
        table.insert(bag.items, { kind = "apple", age = 0, weight = 1 })
      end
    end
  end

  local function weigh()
    for i = 1, #people do
      local bag = people[i].Bag
      local total = 0
      local items = bag.items
      for j = 1, #items do
        total = total + items[j].weight
      end
      bag.weight = total
    end
  end

  local function walk(dt)
    for i = 1, #people do
      local walker, bag = people[i].Walker, people[i].Bag
      walker.speed = bag.weight > bag.limit and 0.25 or 1 - bag.weight / bag.limit * 0.5
      walker.x = walker.x + walker.speed * dt
    end
  end

  local function refund()
    for i = 1, #rotten do
      local ev = rotten[i]
      local purse = ev.who.Purse
      if purse then
        purse.coins = purse.coins + (ev.what == "bread" and 3 or 1)
      end
    end
    rotten = {}
  end

  return {
    frames = 30, dt = 1, seed = 8, start = start,
    systems = { { run = rot }, { run = pickup, every = 3 }, { run = weigh }, { run = walk }, { run = refund } },
    entities = function() return { people } end,
    sums = { "Bag.items", "Bag.weight", "Bag.limit", "Walker.speed", "Walker.x", "Purse.coins" },
  }
end
