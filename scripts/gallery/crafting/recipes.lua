-- What can be made, and of what.
return {
  plank = { makes = 4, of = { log = 1 } },
  stick = { makes = 4, of = { plank = 2 } },
  pickaxe = { makes = 1, of = { stick = 2, stone = 3 } },
  torch = { makes = 4, of = { stick = 1, coal = 1 } },
}
