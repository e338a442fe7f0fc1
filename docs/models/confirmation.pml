/*
 * One question from its request to its end: a confirmation that is asked on several devices, or, with -DGROUP, a group whose
 * members vote. docs/models/README.md explains the model; test/models/ plays its runs on the code.
 *
 * A call reads, and then makes one conditional write. Other calls come in between. `stale` says what of it is no longer as it
 * was read: it stands for the versions and conditions of the code, and keeps the model finite.
 */

#ifdef GROUP
#define MEMBERS 3
#define DEVICES 1
#define REQUIRED 2
#else
#define MEMBERS 1
#define DEVICES 2
#endif
#ifndef CALLERS
#define CALLERS 3
#endif
#ifndef CALLS
#define CALLS 4
#endif

mtype = { ask, answer, look, look_at_group, withdraw, remove };
mtype = { none, pending, confirmed, denied, not_me, expired, withdrawn, removed, decided };
mtype = { approved, cancelled };
mtype = { created, repeated, done, already_decided, challenge_expired, not_found, no_device };

#define NOBODY 255
#define BIT(m) (1 << (m))
#define DEVICE(m, d) device[(m) * DEVICES + (d)]
#define EVERYBODY (BIT(MEMBERS) - 1)

/* The tables. A member's vote, or the confirmation of the only member, with its reason where there is one. */
mtype status[MEMBERS] = none;
byte evidence[MEMBERS];
bool device[MEMBERS * DEVICES] = true;
bool listed[MEMBERS];
mtype group = none;
byte confirmedBy;
byte lostBy;

/* The events table: how many events say that it ended, and what the last of them says. */
byte ends[MEMBERS];
mtype event[MEMBERS] = none;
byte groupEnds;
mtype groupEvent = none;
byte requests;

/* The final status that a caller was told. It is not part of the service. */
mtype told[MEMBERS] = none;
mtype groupTold = none;

/* What calls under way have read, and what of it has changed since. */
bool isBusy[CALLERS];
byte staleHistory[CALLERS];
bool isTallyStale[CALLERS];
byte callsLeft = CALLS;
byte callersLeft = CALLERS;

inline changeHistory(member) {
  byte other;
  for (other : 0 .. CALLERS - 1) {
    if
    :: isBusy[other] -> staleHistory[other] = staleHistory[other] | BIT(member)
    :: else
    fi
  }
  other = 0
}

inline changeTally() {
  byte reader;
  for (reader : 0 .. CALLERS - 1) {
    if
    :: isBusy[reader] -> isTallyStale[reader] = true
    :: else
    fi
  }
  reader = 0
}

/* An event in the transaction of the change. */
inline recordEnd(member, how) {
  ends[member]++;
  event[member] = how
}

inline endVote(member, how) {
  assert(told[member] == none || told[member] == how);
  status[member] = how;
#ifndef FAULT_NO_EVENT
  recordEnd(member, how)
#endif
}

inline endGroup(how) {
  group = how;
  groupEnds++;
  groupEvent = how
}

#define IS_OVER(m) (status[m] != none && status[m] != pending)
#define IS_ANSWERED(m) (status[m] == confirmed || status[m] == denied || status[m] == not_me)
#define COUNT3(mask) (((mask) & 1) + (((mask) >> 1) & 1) + (((mask) >> 2) & 1))

/* What must hold after every write. */
inline check() {
  byte each;
  for (each : 0 .. MEMBERS - 1) {
    assert(ends[each] == (IS_OVER(each) -> 1 : 0));
    assert(!IS_OVER(each) || event[each] == status[each]);
    assert((evidence[each] != 0) == IS_ANSWERED(each));
    assert(told[each] == none || told[each] == status[each] || (status[each] == pending && group == expired));
#ifdef GROUP
    assert(((confirmedBy >> each) & 1) == (status[each] == confirmed));
    assert(!((lostBy >> each) & 1) || status[each] == denied || status[each] == removed);
    assert((group != approved && group != denied && group != cancelled) || status[each] != pending);
#endif
  };
  each = 0;
  assert(requests <= 1);
#ifdef GROUP
  assert(groupEnds == ((group != none && group != pending) -> 1 : 0));
  assert(groupEnds == 0 || groupEvent == group);
  assert(groupTold == none || groupTold == group);
  assert((group == approved) == (COUNT3(confirmedBy) >= REQUIRED));
  assert((group == denied) == (COUNT3(lostBy) > MEMBERS - REQUIRED && group != approved))
#endif
}

inline tell(member) {
  if
  :: IS_OVER(member) -> told[member] = status[member]
  :: else -> assert(told[member] == none)
  fi
}

/* Which other votes end with this one, as they are read now, and their histories. */
inline readOthers(but) {
  byte vote;
  others = 0;
  for (vote : 0 .. MEMBERS - 1) {
    if
    :: vote != but && status[vote] == pending -> others = others | BIT(vote)
    :: else
    fi
  };
  staleHistory[me] = staleHistory[me] & ~others;
  vote = 0
}

inline testOthers() {
  byte checked;
  for (checked : 0 .. MEMBERS - 1) {
    if
    :: (others & BIT(checked)) && status[checked] != pending -> isMet = false
    :: else
    fi
  };
  isMet = isMet && !(staleHistory[me] & others);
  checked = 0
}

inline closeOthers(how) {
  byte closed;
  for (closed : 0 .. MEMBERS - 1) {
    if
    :: (others & BIT(closed)) -> endVote(closed, how); changeHistory(closed)
    :: else
    fi
  };
  closed = 0
}

/* The group as it is now, with this vote: what it decides. */
inline readGroup() {
  isTallyStale[me] = false;
  others = 0;
  decision = none;
  yes = confirmedBy | (isYes -> BIT(m) : 0);
  lost = lostBy | (isYes -> 0 : BIT(m));
  if
  :: COUNT3(yes) >= REQUIRED -> decision = approved
  :: else ->
    if
    :: COUNT3(lost) > MEMBERS - REQUIRED -> decision = denied
    :: else
    fi
  fi;
  if
  :: decision != none -> readOthers(m)
  :: else
  fi
}

inline testGroup() {
#ifdef GROUP
#ifndef FAULT_GROUP_UNCHECKED
  isMet = isMet && group == pending;
#endif
#ifndef FAULT_TALLY_UNCHECKED
  isMet = isMet && !isTallyStale[me];
#endif
  testOthers()
#else
  skip
#endif
}

inline countVote() {
#ifdef GROUP
  confirmedBy = yes;
  lostBy = lost;
  changeTally();
  if
  :: decision != none ->
    endGroup(decision);
#ifndef FAULT_CLOSE_LATER
    closeOthers(decided)
#endif
  :: else
  fi
#else
  skip
#endif
}

#define CONFLICT printf("STEP %d commit conflict\n", me)
#define COMMIT printf("STEP %d commit done\n", me)
#define END(outcome) printf("STEP %d end %e\n", me, outcome); goto ended

proctype Caller(byte me) {
  mtype kind = none;
  byte m;
  byte d;
  mtype choice = none;
  bool isLate;
  bool wasFound;
  bool isCancelled;
  bool isMet;
  bool isYes;
  byte others;
  byte yes;
  byte lost;
  mtype decision = none;

next:
  atomic {
    if
    :: callsLeft > 0 ->
      callsLeft--;
      isBusy[me] = true;
      if
#ifdef GROUP
      :: requests == 0 -> kind = ask
#else
      :: true -> kind = ask
#endif
      :: requests > 0 -> kind = answer; select(m : 0 .. MEMBERS - 1); select(d : 0 .. DEVICES - 1);
        if
        :: choice = confirmed
        :: choice = denied
#ifndef GROUP
        :: choice = not_me
#endif
        fi
      :: requests > 0 -> kind = look; select(m : 0 .. MEMBERS - 1)
      :: requests > 0 -> kind = withdraw
      :: requests > 0 -> kind = remove; select(m : 0 .. MEMBERS - 1); select(d : 0 .. DEVICES - 1)
#ifdef GROUP
      :: requests > 0 -> kind = look_at_group
#endif
      fi;
      if
      :: true -> isLate = false
      :: kind != ask -> isLate = true
      fi;
#ifdef GROUP
      /* Votes are only looked at by the expiry. */
      isLate = isLate || kind == look;
#endif
      isYes = choice == confirmed;
      printf("STEP %d call %e %d %d %e %d\n", me, kind, m, d, choice, isLate);
      if
      :: kind == ask -> goto ask_read
      :: kind == answer -> goto answer_read
      :: kind == look -> goto look_read
      :: kind == look_at_group -> goto group_look_read
      :: kind == withdraw -> goto withdraw_read
      :: kind == remove -> goto remove_read
      fi
    :: else -> goto over
    fi
  };

  atomic {
    skip;
ask_read:
    if
    :: requests > 0 -> END(repeated)
    :: else
    fi
  };
  atomic {
    if
#ifndef FAULT_NONCE_UNCHECKED
    :: requests > 0 -> CONFLICT; END(repeated)
#endif
    :: else ->
      for (m : 0 .. MEMBERS - 1) {
        status[m] = pending;
        listed[m] = true;
        changeHistory(m)
      };
      m = 0;
#ifdef GROUP
      group = pending;
#endif
      requests++;
      COMMIT;
      check();
      END(created)
    fi
  };

  atomic {
    skip;
answer_read:
    if
    :: !DEVICE(m, d) -> END(no_device)
    :: else
    fi;
    if
    :: isLate && status[m] == pending -> goto expire
    :: else -> goto answer_checked
    fi
  };
  atomic {
    skip;
answer_checked:
    if
#ifndef FAULT_REPETITION_UNKNOWN
    :: evidence[m] == (choice + 40 * d) -> END(status[m])
#endif
    :: else
    fi;
    if
    :: status[m] == expired -> tell(m); END(challenge_expired)
    :: IS_OVER(m) && status[m] != expired ->
      assert(evidence[m] != (choice + 40 * d));
      END(already_decided)
    :: else
    fi;
    staleHistory[me] = staleHistory[me] & ~BIT(m);
#ifndef GROUP
    goto answer_commit
#endif
  };
#ifdef GROUP
  atomic {
    printf("STEP %d group\n", me);
    if
    :: group != pending -> END(challenge_expired)
    :: else -> readGroup()
    fi
  };
#endif
answer_commit:
  atomic {
    isMet = status[m] == pending;
#ifdef FAULT_LOST_CONDITION
    isMet = true;
#endif
#ifndef FAULT_NO_VERSION
    isMet = isMet && !(staleHistory[me] & BIT(m));
#endif
    testGroup();
    if
    :: isMet ->
      assert(DEVICE(m, d));
      endVote(m, choice);
#ifndef FAULT_NO_EVIDENCE
      evidence[m] = choice + 40 * d;
#endif
      changeHistory(m);
      countVote();
      COMMIT;
      check();
      tell(m);
      END(choice)
    :: else ->
      CONFLICT;
#ifdef FAULT_EVENT_FIRST
      recordEnd(m, choice);
      check();
#endif
      goto answer_read
    fi
  };

  atomic {
    skip;
look_read:
    if
    :: isLate && status[m] == pending ->
#ifdef FAULT_COMPUTED_EXPIRY
      told[m] = expired;
      END(expired)
#else
      goto expire
#endif
    :: else -> tell(m); END(status[m])
    fi
  };

/* Writes an expiry that is due, before anyone is told of it. */
expire:
  atomic {
    if
    :: status[m] == pending ->
      endVote(m, expired);
      COMMIT;
      check()
#ifdef FAULT_EXPIRY_TWICE
    :: status[m] != pending ->
      recordEnd(m, expired);
      COMMIT;
      check()
#else
    :: else -> CONFLICT
#endif
    fi;
    if
    :: kind == answer -> goto answer_checked
    :: kind == withdraw -> goto withdraw_read
    :: else -> tell(m); END(status[m])
    fi
  };

  atomic {
    skip;
group_look_read:
    if
    :: isLate && group == pending -> goto group_expire
    :: else -> goto group_told
    fi
  };
group_expire:
  atomic {
    if
    :: group == pending ->
      endGroup(expired);
      COMMIT;
      check()
    :: else -> CONFLICT
    fi;
    if
    :: kind == withdraw -> goto withdraw_read
    :: else -> goto group_told
    fi
  };
  atomic {
    skip;
group_told:
    if
    :: group != pending -> groupTold = group
    :: else
    fi;
    /* The answer computes that votes have expired. */
    if
    :: isLate ->
      for (m : 0 .. MEMBERS - 1) {
        if
        :: status[m] == pending && group == expired -> told[m] = expired
        :: else
        fi
      };
      m = 0
    :: else
    fi;
    END(group)
  };

  atomic {
    skip;
withdraw_read:
#ifdef GROUP
    if
    :: isLate && group == pending -> goto group_expire
    :: group == cancelled -> END(done)
    :: group != pending && group != cancelled -> groupTold = group; END(already_decided)
    :: else -> readOthers(NOBODY)
    fi
#else
    if
    :: isLate && status[m] == pending -> goto expire
    :: status[m] == withdrawn -> tell(m); END(done)
    :: IS_OVER(m) && status[m] != withdrawn -> END(already_decided)
    :: else
    fi
#endif
  };
  atomic {
#ifdef GROUP
    isMet = group == pending;
    testOthers();
    if
    :: isMet ->
      endGroup(cancelled);
      closeOthers(withdrawn);
      COMMIT;
      check();
      groupTold = cancelled;
      END(done)
#else
    if
#ifdef FAULT_LOST_CONDITION
    :: true ->
#else
    :: status[m] == pending ->
#endif
      endVote(m, withdrawn);
      changeHistory(m);
      COMMIT;
      check();
      tell(m);
      END(done)
#endif
    :: else -> CONFLICT; goto withdraw_read
    fi
  };

  atomic {
    skip;
remove_read:
    if
    :: !DEVICE(m, d) && wasFound -> END(done)
    :: !DEVICE(m, d) && !wasFound -> END(no_device)
    :: else
    fi;
    wasFound = true;
    staleHistory[me] = staleHistory[me] & ~BIT(m);
    isCancelled = !isLate && listed[m] && status[m] == pending;
#if !defined(GROUP) && !defined(FAULT_REMOVAL_ENDS_ALL)
    isCancelled = isCancelled && !DEVICE(m, 1 - d);
#endif
#ifdef FAULT_REMOVAL_ENDS_NOTHING
    isCancelled = false;
#endif
#ifdef GROUP
    isYes = false;
    if
    :: isCancelled -> goto remove_vote
    :: else -> goto remove_commit
    fi
#else
    goto remove_commit
#endif
  };
#ifdef GROUP
/* The vote that only this device could give ends first. */
remove_vote:
  atomic {
    printf("STEP %d group\n", me);
    if
    :: group != pending -> decision = expired; others = 0
    :: else -> readGroup()
    fi
  };
  atomic {
    isMet = !(staleHistory[me] & BIT(m));
    if
    :: decision != expired ->
      isMet = isMet && status[m] == pending;
      testGroup()
#ifdef FAULT_CANCEL_AFTER_EXPIRY
    :: else -> isMet = isMet && status[m] == pending
#else
    :: else
#endif
    fi;
    if
    :: isMet && decision != expired ->
      endVote(m, removed);
      changeHistory(m);
      countVote();
      COMMIT;
      check();
      decision = none;
      goto remove_read
    :: isMet && decision == expired ->
#ifdef FAULT_CANCEL_AFTER_EXPIRY
      endVote(m, removed);
#endif
      /* The group is over, so the vote expires by itself. Only the history forgets it. */
      listed[m] = false;
      changeHistory(m);
      COMMIT;
      check();
      decision = none;
      goto remove_read
    :: else ->
      CONFLICT;
      staleHistory[me] = staleHistory[me] & ~BIT(m);
      if
      :: status[m] == pending -> goto remove_vote
      :: else -> goto remove_read
      fi
    fi
  };
#endif
remove_commit:
  atomic {
    isMet = DEVICE(m, d) && !(staleHistory[me] & BIT(m));
#ifdef FAULT_NO_VERSION
    isMet = DEVICE(m, d);
#endif
    if
    :: isCancelled -> isMet = isMet && status[m] == pending
    :: else
    fi;
    if
    :: isMet ->
      DEVICE(m, d) = false;
      if
      :: isLate -> listed[m] = false
      :: else
      fi;
      changeHistory(m);
      if
      :: isCancelled -> endVote(m, removed)
      :: else
      fi;
#ifndef GROUP
      assert(status[m] != removed || !DEVICE(m, 1 - d));
      assert(status[m] != pending || !listed[m] || DEVICE(m, 1 - d));
#endif
      COMMIT;
      check();
      END(done)
    :: else -> CONFLICT; goto remove_read
    fi
  };

  atomic {
    skip;
ended:
    isBusy[me] = false;
    staleHistory[me] = 0;
    isTallyStale[me] = false;
    kind = none;
    m = 0;
    d = 0;
    choice = none;
    isLate = false;
    wasFound = false;
    isCancelled = false;
    isMet = false;
    isYes = false;
    others = 0;
    yes = 0;
    lost = 0;
    decision = none;
    goto next
  };
over:
  callersLeft--
}

/* Expiries come at least once, after everything else. Then everything has ended. */
active proctype Clock() {
  byte i;
  atomic {
    callersLeft == 0;
    for (i : 0 .. MEMBERS - 1) {
      printf("BEFORE %d %e %d %d\n", i, status[i], evidence[i] != 0, ends[i]);
      if
      :: status[i] == pending -> endVote(i, expired)
      :: else
      fi
    };
#ifdef GROUP
    printf("BEFORE group %e %d %d\n", group, confirmedBy, groupEnds);
    if
    :: group == pending -> endGroup(expired)
    :: else
    fi;
#endif
    check();
    if
    :: requests > 0 ->
      for (i : 0 .. MEMBERS - 1) {
        assert(IS_OVER(i));
        printf("AFTER %d %e %d %d\n", i, status[i], evidence[i] != 0, ends[i])
      };
#ifdef GROUP
      printf("AFTER group %e %d %d\n", group, confirmedBy, groupEnds)
#endif
    :: else
    fi
  }
}

init {
  byte c;
  atomic {
    for (c : 0 .. CALLERS - 1) {
      run Caller(c)
    }
  }
}
