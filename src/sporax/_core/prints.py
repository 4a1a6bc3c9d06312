"""stub"""
def percent(x, y): return x % y
