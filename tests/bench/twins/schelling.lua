-- Twin of worlds/schelling: segregation with 72,000 agents on 300 by 300 places.
return function(stream)
  local start_random, random = stream("populate"), stream("move")
  local width, height, wanted = 300, 300, 0.4
  local homes, order, at = {}, {}, {}

  local function start()
    for i = 0, width * height - 1 do at[i] = false end
    for i = 1, 72000 do
      local x, y
      repeat
        x, y = start_random(0, width - 1), start_random(0, height - 1)
      until not at[y * width + x]
      local home = { x = x, y = y, kind = i % 2 + 1 }
      at[y * width + x] = home
      homes[i] = { Home = home }
    end
  end

  local function move()
    for i = 1, #homes do order[i] = homes[i] end
    for i = #order, 2, -1 do
      local j = random(i)
      order[i], order[j] = order[j], order[i]
    end
    for i = 1, #order do
      local home = order[i].Home
      local all, alike = 0, 0
      for dy = -1, 1 do
        local row = (home.y + dy) % height * width
        for dx = -1, 1 do
          if dx ~= 0 or dy ~= 0 then
            local other = at[row + (home.x + dx) % width]
            if other then
              all = all + 1
              if other.kind == home.kind then alike = alike + 1 end
            end
          end
        end
      end
      if alike < wanted * all then
        local x, y
        repeat
          x, y = random(0, width - 1), random(0, height - 1)
        until not at[y * width + x]
        at[home.y * width + home.x] = false
        at[y * width + x] = home
        home.x, home.y = x, y
      end
    end
  end

  return {
    frames = 12, dt = 1, seed = 5, start = start,
    systems = { { run = move } },
    entities = function() return { homes } end,
    sums = { "Home.x", "Home.y", "Home.kind" },
  }
end
