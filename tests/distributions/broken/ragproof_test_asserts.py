assert 1 + 1 == 3, "arithmetic is off"
