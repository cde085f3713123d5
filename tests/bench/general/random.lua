-- A small generator of whole numbers below 65,536, the same in every Lua.
return function()
  local seed = 74755
  return function()
    seed = (seed * 1309 + 13849) % 65536
    return seed
  end
end
