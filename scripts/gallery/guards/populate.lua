-- Three guards, each with a part of the corridor, and one thief.
return function(world)
  for i, name in ipairs{ "Ada", "Bo", "Cy" } do
    local from = (i - 1) * 20
    world:spawn{
      Name = { text = name },
      Position = { x = from + 5, y = 0 },
      Patrol = { from = from, to = from + 18 },
      Mind = {},
      "patrolling",
    }
  end
  world:spawn{ Name = { text = "the thief" }, Position = { x = 50, y = 4 }, "thief" }
end
