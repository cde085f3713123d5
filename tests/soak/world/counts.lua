return { made = 0, ended = 0 }
