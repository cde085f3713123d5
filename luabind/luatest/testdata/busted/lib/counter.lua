return { count = 0 }
