-- Balls in a box that turn back at its walls, counted by their bounces.
local random = require("random")

local Ball = {}
Ball.__index = Ball

function Ball.new(next)
  return setmetatable({
    x = next() % 500, y = next() % 500,
    dx = next() % 300 - 150, dy = next() % 300 - 150,
  }, Ball)
end

function Ball:bounce()
  local limit, bounced = 500, false
  self.x, self.y = self.x + self.dx, self.y + self.dy
  if self.x > limit then
    self.x, self.dx, bounced = limit, -math.abs(self.dx), true
  end
  if self.x < 0 then
    self.x, self.dx, bounced = 0, math.abs(self.dx), true
  end
  if self.y > limit then
    self.y, self.dy, bounced = limit, -math.abs(self.dy), true
  end
  if self.y < 0 then
    self.y, self.dy, bounced = 0, math.abs(self.dy), true
  end
  return bounced
end

return function()
  local next, balls, bounces = random(), {}, 0
  for i = 1, 100 do balls[i] = Ball.new(next) end
  for _ = 1, 50 do
    for _, ball in ipairs(balls) do
      if ball:bounce() then bounces = bounces + 1 end
    end
  end
  return bounces
end
