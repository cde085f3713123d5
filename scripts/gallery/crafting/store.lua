-- Looking into a container, putting something in and taking something out. An item is a stack of one kind; StoredIn is the relation from the
-- item to its container, so that "what is in this chest?" is a walk over the sources of that relation.
local store = {}

-- The stack of a kind in a container, and its view; nil if there is none.
function store.find(world, container, kind)
  for e in world:sources("StoredIn", container) do
    local item = world:get(e, "Item")
    if item.kind == kind then return e, item end
  end
end

-- How many of a kind there are.
function store.count(world, container, kind)
  local e, item = store.find(world, container, kind)
  return e and item.count or 0
end

-- Puts so many of a kind in.
function store.put(world, container, kind, count)
  local e, item = store.find(world, container, kind)
  if e then
    item.count = item.count + count
  else
    world:spawn{ Item = { kind = kind, count = count }, StoredIn = container }
  end
end

-- Takes so many of a kind out. There must be enough of them.
function store.take(world, container, kind, count)
  local e, item = store.find(world, container, kind)
  if item.count > count then
    item.count = item.count - count
  else
    world:despawn(e)
  end
end

return store
