-- The primes up to 5,000.
return function()
  local composite, primes = {}, 0
  for i = 1, 5000 do composite[i] = false end
  for i = 2, 5000 do
    if not composite[i] then
      primes = primes + 1
      for k = i + i, 5000, i do composite[k] = true end
    end
  end
  return primes
end
