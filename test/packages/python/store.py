"""Prints what a MemoryStore has left, and what a thread did that came while the store made room."""

import threading

from omi import MemoryStore

time = 0.0
store = MemoryStore(3, now=lambda: time)


def left(names="abcde"):
    print("".join(name for name in names if store.get(name) is not None), flush=True)


store.put("a", "1", 600)
store.put("b", "1", 1)
store.put("c", "1", 60)
time = 2.0
store.put("d", "1", 60)
left()
store.put("e", "1", 60)
left()
store.put("c", "2", 60)
left()

others = []


def now_while_another_comes():
    if not others:
        others.append(threading.Thread(target=shared.put, args=("other", "1", 60)))
        others[0].start()
        # As long as the other would need, if nothing held it back.
        others[0].join(0.2)
    return 0.0


shared = MemoryStore(1)
shared.put("first", "1", 60)
shared._now = now_while_another_comes
shared.put("one", "1", 60)
others[0].join()
print([name for name in ("first", "one", "other") if shared.get(name) is not None])
