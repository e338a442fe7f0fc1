/*
 * The delivery of events to two tenants. docs/models/README.md explains the model; test/models/ plays its runs on the code.
 *
 * Target 0 may break and be repaired, or be paused. It has one lane with two aggregates, which come by two shards of the
 * events table's stream. With -DNEIGHBOUR it is broken for good, and there is target 1, which is always well: its events come
 * in the same batches.
 */

#define TARGETS 2
#define AGGREGATES 3
#define A 0
#define B 1
#define X 2
#define NOTHING 255
#ifndef EVENTS
#define EVENTS 2
#endif
#ifndef TROUBLES
#define TROUBLES 1
#endif
#ifndef CRASHES
#define CRASHES 1
#endif
#define ALL (((1 << EVENTS) - 1) << 1)
#define BIT(n) (1 << (n))
#define TARGET(aggregate) ((aggregate) / 2)

/* The FIFO queue has a group for each lane, and here each target has one lane. */
#ifdef FAULT_ONE_GROUP
#define GROUP(target) 0
#else
#define GROUP(target) (target)
#endif
#define LENGTH 8

mtype = { well, broken, paused };

#ifdef NEIGHBOUR
mtype state = broken;
#else
mtype state = well;
#endif
/* While a target is paused it would take events, but the service sends none. */
#define TAKES(target) ((target) == 1 || state != broken)
#define IS_PAUSED(target) ((target) == 0 && state == paused)

/* What consumers have got: a bit for each event of an aggregate. */
byte received[AGGREGATES];

chan parking[TARGETS] = [LENGTH] of { byte, byte, byte };
byte lastPosition[TARGETS];
/* By its content SQS may know an event that was parked before: its position, or 0. */
byte knownPosition[AGGREGATES * (EVENTS + 1)];
#define KNOWN(aggregate, n) knownPosition[(aggregate) * (EVENTS + 1) + (n)]
/* Bits of the events in the queue. */
byte waiting[AGGREGATES];

/* In the target's item. */
byte parkedThrough[TARGETS];
byte drainedThrough[TARGETS];
#ifdef FAULT_STALE_READ
bool wasWaiting[TARGETS];
#endif

byte crashesLeft = CRASHES;

inline receive(aggregate, n) {
  /* A later event never comes before an earlier one of its aggregate. */
  assert(n == 1 || (received[aggregate] & BIT(n - 1)));
  received[aggregate] = received[aggregate] | BIT(n)
}

/* The stream or the queue forgets the event: it was delivered, or still waits. */
inline forget(aggregate, n) {
  assert((received[aggregate] & BIT(n)) || (waiting[aggregate] & BIT(n)))
}

inline park(aggregate, n, position) {
  if
  :: KNOWN(aggregate, n) > 0 -> position = KNOWN(aggregate, n)
  :: true ->
    lastPosition[TARGET(aggregate)]++;
    position = lastPosition[TARGET(aggregate)];
    KNOWN(aggregate, n) = position;
    parking[GROUP(TARGET(aggregate))]!aggregate, n, position;
    waiting[aggregate] = waiting[aggregate] | BIT(n)
  fi
}

/* One shard of the events table's stream: batch after batch, and each again until it is done. */
proctype Shard(byte first; byte second) {
  byte n = 1;
  byte aggregate;
  byte position;
  bool isQueued[TARGETS];

load:
  atomic {
    if
    :: n > EVENTS -> goto over
    :: else
    fi;
    byte target;
    for (target : 0 .. TARGETS - 1) {
#ifdef FAULT_STALE_READ
      if
      :: isQueued[target] = wasWaiting[target]
      :: isQueued[target] = (parkedThrough[target] > drainedThrough[target])
      fi;
      isQueued[target] = isQueued[target] || IS_PAUSED(target)
#else
      isQueued[target] = (parkedThrough[target] > drainedThrough[target]) || IS_PAUSED(target)
#endif
    };
    target = 0;
    aggregate = first;
    printf("STEP shard%d load %d\n", first, n)
  };
#ifdef FAULT_ACK_FIRST
  atomic {
    n++;
    forget(aggregate, n - 1)
  };
#endif

deliver:
  atomic {
    if
    :: crashesLeft > 0 -> crashesLeft--; goto crash
    :: true
    fi;
#ifndef FAULT_OVERTAKES
    if
    :: isQueued[TARGET(aggregate)] -> goto park_event
    :: else
    fi;
#endif
    if
    :: TAKES(TARGET(aggregate)) ->
      receive(aggregate, n);
      if
      :: true -> printf("STEP shard%d deliver %d %d done\n", first, aggregate, n); goto delivered
      :: crashesLeft > 0 ->
        crashesLeft--;
        printf("STEP shard%d deliver %d %d unanswered\n", first, aggregate, n)
      fi
#ifdef FAULT_WAITS_FOR_TARGET
    :: else -> goto deliver
#else
    :: else -> printf("STEP shard%d deliver %d %d refused\n", first, aggregate, n)
#endif
    fi;
    goto park_event
  };

park_event:
  atomic {
    if
    :: crashesLeft > 0 -> crashesLeft--; goto crash
    :: true -> park(aggregate, n, position)
    fi;
    printf("STEP shard%d park %d %d %d\n", first, aggregate, n, position)
  };
#ifndef FAULT_NO_WATERMARK
  atomic {
    if
    :: crashesLeft > 0 -> crashesLeft--; goto crash
    :: true
    fi;
#ifdef FAULT_STALE_READ
    wasWaiting[TARGET(aggregate)] = (parkedThrough[TARGET(aggregate)] > drainedThrough[TARGET(aggregate)]);
#endif
    if
#ifndef FAULT_WATERMARK_FALLS
    :: position <= parkedThrough[TARGET(aggregate)]
#endif
    :: else -> parkedThrough[TARGET(aggregate)] = position
    fi;
    printf("STEP shard%d mark %d %d\n", first, aggregate, parkedThrough[TARGET(aggregate)] > drainedThrough[TARGET(aggregate)])
  };
#endif

delivered:
  atomic {
    position = 0;
    if
    :: aggregate == first && second != NOTHING -> aggregate = second; goto deliver
    :: else
    fi;
    if
    :: crashesLeft > 0 -> crashesLeft--; goto crash
    :: true
    fi;
#ifndef FAULT_ACK_FIRST
    forget(first, n);
    n++;
#endif
    aggregate = 0;
    printf("STEP shard%d ack\n", first);
    goto load
  };

crash:
  atomic {
    position = 0;
    aggregate = 0;
    printf("STEP shard%d crash\n", first);
    goto load
  };
over:
  skip
}

/* The redelivery of one group of the queue. SQS hides the messages behind one that is taken. */
proctype Redelivery(byte group) {
  byte aggregate;
  byte n;
  byte position;
  bool isHeld;

end:
  atomic {
    parking[group]?<aggregate, n, position>;
    isHeld = IS_PAUSED(TARGET(aggregate));
    printf("STEP lane%d take %d %d\n", group, aggregate, n);
#ifdef FAULT_DELETES_FIRST
    waiting[aggregate] = waiting[aggregate] & ~BIT(n);
    parking[group]?_, _, _
#endif
  };
#ifdef FAULT_DRAINS_FIRST
  atomic {
    if
    :: position > drainedThrough[TARGET(aggregate)] -> drainedThrough[TARGET(aggregate)] = position
    :: else
    fi
  };
#endif
  atomic {
    if
    :: crashesLeft > 0 -> crashesLeft--; goto crash
    :: !isHeld && TAKES(TARGET(aggregate)) ->
      receive(aggregate, n);
      printf("STEP lane%d deliver %d %d done\n", group, aggregate, n)
    :: isHeld || !TAKES(TARGET(aggregate)) ->
      printf("STEP lane%d deliver %d %d refused\n", group, aggregate, n);
#ifdef FAULT_GIVES_UP
      waiting[aggregate] = waiting[aggregate] & ~BIT(n);
      forget(aggregate, n);
      parking[group]?_, _, _;
#endif
#ifdef FAULT_STOPS_TRYING
      goto stopped
#else
      goto again
#endif
    fi
  };
  atomic {
    if
    :: crashesLeft > 0 -> crashesLeft--; goto crash
    :: true
    fi;
#ifdef FAULT_STALE_READ
    wasWaiting[TARGET(aggregate)] = (parkedThrough[TARGET(aggregate)] > drainedThrough[TARGET(aggregate)]);
#endif
    if
    :: position > drainedThrough[TARGET(aggregate)] -> drainedThrough[TARGET(aggregate)] = position
    :: else
    fi;
    printf("STEP lane%d drain %d %d\n", group, aggregate, parkedThrough[TARGET(aggregate)] > drainedThrough[TARGET(aggregate)])
  };
#ifndef FAULT_DELETES_FIRST
  atomic {
    if
    :: crashesLeft > 0 -> crashesLeft--; goto crash
    :: true
    fi;
    parking[group]?_, _, _;
    waiting[aggregate] = waiting[aggregate] & ~BIT(n);
    /* Another copy of it may wait behind. */
    if
    :: parking[group]??[eval(aggregate), eval(n), _] -> waiting[aggregate] = waiting[aggregate] | BIT(n)
    :: else
    fi;
    forget(aggregate, n);
    printf("STEP lane%d delete\n", group)
  };
#endif
again:
  atomic {
    aggregate = 0;
    n = 0;
    position = 0;
    isHeld = false;
    goto end
  };
crash:
  atomic {
    printf("STEP lane%d crash\n", group);
    goto again
  }
#ifdef FAULT_STOPS_TRYING
  ;
stopped:
  false
#endif
}

/* Target 0 breaks, or is paused, and is well again in the end. */
proctype Tenant() {
#ifndef NEIGHBOUR
  byte troubles = TROUBLES;
  do
  :: troubles > 0 ->
    troubles--;
    if
    :: atomic { state = broken; printf("STEP tenant broken\n") }
    :: atomic { state = paused; printf("STEP tenant paused\n") }
    fi;
    atomic { state = well; printf("STEP tenant well\n") }
  :: true -> break
  od
#else
  skip
#endif
}

init {
  byte target;
  atomic {
    run Tenant();
#ifdef NEIGHBOUR
    run Shard(A, X);
#else
    run Shard(A, NOTHING);
    run Shard(B, NOTHING);
#endif
    for (target : 0 .. TARGETS - 1) {
      run Redelivery(target)
    }
  }
}

#ifdef ARRIVES
ltl arrives { <> (received[A] == ALL && received[B] == ALL) }
#endif
#ifdef NEIGHBOUR
ltl neighbour { <> (received[X] == ALL) }
#endif
