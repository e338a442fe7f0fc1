import { randomUUID } from 'node:crypto';
import type { Fault, FaultKind, FaultyService } from './fault-schema.ts';
import { refersTo } from './resource-names.ts';

export type ActiveFault = Fault & { id: string; hits: number };

/** A call that faults may apply to. */
export type FaultableCall = {
  service: FaultyService;
  operation: string;
  resources: readonly string[];
  /** The number of entries of a batch. The fault `partial` applies only to batches. */
  entries?: number;
  /** True for calls that are repeated automatically; `any` if no fault is meant for them, even by their operation. */
  isPoll?: boolean | 'any';
};

export type Hit = {
  kind: FaultKind;
  delayMs: number;
  resource: string | undefined;
  /** The positions of the failing entries, for `partial`. */
  failing: ReadonlySet<number>;
};

export type Faults = {
  add(fault: Fault): ActiveFault;
  /** In order of creation. */
  list(): ActiveFault[];
  /** False for an unknown id; true also for a fault that is already over. */
  remove(id: string): boolean;
  clear(): void;
  /** The oldest fault that applies to the call, whose hits it counts. */
  match(call: FaultableCall): Hit | undefined;
};

const defaultDelayMs = 1_000;

export function createFaults(): Faults {
  const active = new Map<string, FaultState>();
  const over = new Set<string>();
  const end = (id: string): void => {
    if (active.delete(id)) over.add(id);
  };
  return {
    add: (fault) => {
      const shown = { id: randomUUID(), ...fault, hits: 0 };
      active.set(shown.id, { shown, isDue: everyShare(fault.ratio ?? 1) });
      return shown;
    },
    list: () => [...active.values()].map(({ shown }) => shown),
    remove: (id) => {
      end(id);
      return over.has(id);
    },
    clear: () => [...active.keys()].forEach(end),
    match: (call) => {
      for (const fault of active.values()) {
        const hit = hitOf(fault, call);
        if (!hit) continue;
        if (fault.shown.hits === fault.shown.times) end(fault.shown.id);
        return hit;
      }
      return undefined;
    },
  };
}

type FaultState = { shown: ActiveFault; isDue: () => boolean };

function hitOf({ shown, isDue }: FaultState, call: FaultableCall): Hit | undefined {
  if (!appliesTo(shown, call)) return undefined;
  const count = shown.fault === 'partial' ? (call.entries ?? 0) : 1;
  const due = Array.from({ length: count }, (_, index) => index).filter(isDue);
  if (due.length === 0) return undefined;
  shown.hits += 1;
  const delayMs = shown.delayMs ?? (shown.fault === 'slow' ? defaultDelayMs : 0);
  return { kind: shown.fault, delayMs, resource: shown.resource, failing: new Set(due) };
}

/** True for exactly the given share of calls, evenly spread and including the first: tests need no randomness. */
function everyShare(ratio: number): () => boolean {
  let calls = 0;
  const dueAfter = (count: number): number => Math.ceil(count * ratio - rounding);
  return () => {
    calls += 1;
    return dueAfter(calls) > dueAfter(calls - 1);
  };
}

const rounding = 1e-9;

/** Calls of a push endpoint, or those that need a key: of a stream, or of KMS itself. */
const disabled = /^(Publish|PutRecords?|Encrypt|Decrypt|Sign)$/;

const writes = /^(Put|Update|Delete)Item$|^Transact(Write|Get)Items$/;

function appliesTo(fault: Fault, { service, operation, resources, isPoll = false }: FaultableCall): boolean {
  if (fault.service !== service) return false;
  // A limited number of hits is for calls that somebody makes, unless the fault names the operation of a poller.
  if (fault.times !== undefined && (isPoll === 'any' || (isPoll && fault.operation === undefined)))
    return false;
  if (fault.operation !== undefined && fault.operation !== operation) return false;
  if (fault.fault === 'disabled' && !disabled.test(operation)) return false;
  if (fault.fault === 'conflict' && !writes.test(operation)) return false;
  return fault.resource === undefined || resources.some((resource) => refersTo(fault.resource, resource));
}
