-- Twin of 35-stats: mean, deviation, histogram, richest and percentiles of 30,000 people.
local LIMITS = { 20, 60, 120, 300, 1000 }

return function(stream)
  local start_random, random = stream("start"), stream("exchange")
  local people = {}
  local resources = { mean = 0, dev = 0, gini = 0, histogram = {} }
  local last

  local function start()
    for i = 1, 30000 do people[i] = { Person = { wealth = 100, age = start_random(1, 90), class = 0 } } end
  end

  local function exchange()
    for i = 1, #people do
      local e = people[i]
      local p, other = e.Person, last and last.Person
      if other then
        local stake = math.min(p.wealth, other.wealth) * 0.1
        if random() < 0.5 then stake = -stake end
        p.wealth = p.wealth + stake
        other.wealth = other.wealth - stake
      end
      last = e
    end
  end

  local function stats()
    local n, sum, sq = 0, 0, 0
    local bins = {}
    for i = 1, 20 do bins[i] = 0 end
    local richest, most = nil, -math.huge
    for i = 1, #people do
      local e = people[i]
      local p = e.Person
      n = n + 1
      sum = sum + p.wealth
      sq = sq + p.wealth * p.wealth
      local bin = math.min(20, math.floor(p.wealth / 20) + 1)
      bins[bin] = bins[bin] + 1
      if p.wealth > most then richest, most = e, p.wealth end
    end
    resources.mean = sum / n
    resources.dev = math.sqrt(sq / n - resources.mean * resources.mean)
    resources.histogram = bins
    resources.richest = richest
  end

  local function classes()
    for i = 1, #people do
      local p = people[i].Person
      local class = #LIMITS + 1
      for j, limit in ipairs(LIMITS) do
        if p.wealth < limit then
          class = j
          break
        end
      end
      p.class = class
    end
  end

  local function gini()
    local list = {}
    for i = 1, #people do list[#list + 1] = people[i].Person.wealth end
    table.sort(list)
    local n, acc, sum = #list, 0, 0
    for i, w in ipairs(list) do
      acc = acc + i * w
      sum = sum + w
    end
    resources.gini = 2 * acc / (n * sum) - (n + 1) / n
    print(string.format("gini %.4f median %.2f", resources.gini, list[math.floor(n / 2)]))
  end

  return {
    frames = 30, dt = 1 / 60, seed = 231, start = start,
    systems = { { run = exchange }, { run = stats }, { run = classes }, { run = gini, every = 10 } },
    entities = function() return { people } end,
    resources = resources,
    sums = { "Person.wealth", "Person.age", "Person.class", "resources.mean", "resources.dev", "resources.gini", "resources.histogram" },
  }
end
