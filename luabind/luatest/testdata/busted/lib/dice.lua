return function() return math.random(6), ("six"):upper() end
