-- The toxins, and how much health they take in a second.
return { arsenic = { dps = 1 }, hemlock = { dps = 2 } }
