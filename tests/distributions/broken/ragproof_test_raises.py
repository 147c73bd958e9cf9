raise ValueError("no licence file\x1b[31m found")
