import { randomUUID } from 'node:crypto';
import type { Fault, FaultKind, ServiceName } from './fault-schema.ts';
import { names } from './resource-names.ts';

export type ActiveFault = Fault & { id: string; hits: number };

/** What a fault is matched against. */
export type FaultTarget = {
  service: ServiceName;
  operation: string;
  resources: readonly string[];
  /** How many entries a batch has, when this is a batch; `partial` applies to nothing else. */
  entries?: number;
  /** A call that comes again and again by itself; `any`: no fault can be meant for it by its operation. */
  isPoll?: boolean | 'any';
};

export type Hit = {
  kind: FaultKind;
  delayMs: number;
  resource: string | undefined;
  /** For `partial`: the positions of the entries that fail. */
  failing: ReadonlySet<number>;
};

export type Faults = {
  add(fault: Fault): ActiveFault;
  /** In order of creation. */
  list(): ActiveFault[];
  /** False for an id that never was; ending a fault that is over already is no error. */
  remove(id: string): boolean;
  clear(): void;
  /** The first fault, in order of creation, that befalls this call; counts it as a hit. */
  match(target: FaultTarget): Hit | undefined;
};

const DEFAULT_DELAY_MS = 1_000;

export function createFaults(): Faults {
  const active = new Map<string, ArmedFault>();
  const over = new Set<string>();
  const end = (id: string): void => {
    if (active.delete(id)) over.add(id);
  };
  return {
    add: (fault) => {
      const armed = arm(fault);
      active.set(armed.shown.id, armed);
      return armed.shown;
    },
    list: () => [...active.values()].map(({ shown }) => shown),
    remove: (id) => {
      end(id);
      return over.has(id);
    },
    clear: () => [...active.keys()].forEach(end),
    match: (target) => {
      for (const armed of active.values()) {
        const hit = strike(armed, target);
        if (!hit) continue;
        if (armed.shown.hits === armed.shown.times) end(armed.shown.id);
        return hit;
      }
      return undefined;
    },
  };
}

type ArmedFault = { shown: ActiveFault; isDue: () => boolean };

function arm(fault: Fault): ArmedFault {
  return { shown: { id: randomUUID(), ...fault, hits: 0 }, isDue: everyShare(fault.ratio ?? 1) };
}

function strike({ shown, isDue }: ArmedFault, target: FaultTarget): Hit | undefined {
  if (!concerns(shown, target)) return undefined;
  const count = shown.fault === 'partial' ? (target.entries ?? 0) : 1;
  const due = Array.from({ length: count }, (_, index) => index).filter(isDue);
  if (due.length === 0) return undefined;
  shown.hits += 1;
  const delayMs = shown.delayMs ?? (shown.fault === 'slow' ? DEFAULT_DELAY_MS : 0);
  return { kind: shown.fault, delayMs, resource: shown.resource, failing: new Set(due) };
}

/** True for exactly the given share of its calls, evenly spread, the first among them: no chance in tests. */
function everyShare(ratio: number): () => boolean {
  let calls = 0;
  const dueAfter = (count: number): number => Math.ceil(count * ratio - ROUNDING);
  return () => {
    calls += 1;
    return dueAfter(calls) > dueAfter(calls - 1);
  };
}

const ROUNDING = 1e-9;

/** A push endpoint; the key that encrypts a stream. */
const DISABLED = /^(Publish|PutRecords?)$/;

const WRITES = /^(Put|Update|Delete)Item$|^Transact(Write|Get)Items$/;

function concerns(fault: Fault, { service, operation, resources, isPoll = false }: FaultTarget): boolean {
  if (fault.service !== service) return false;
  // A fault that strikes so many times is meant for calls that somebody makes, unless it says otherwise.
  if (fault.times !== undefined && (isPoll === 'any' || (isPoll && fault.operation === undefined)))
    return false;
  if (fault.operation !== undefined && fault.operation !== operation) return false;
  if (fault.fault === 'disabled' && !DISABLED.test(operation)) return false;
  if (fault.fault === 'conflict' && !WRITES.test(operation)) return false;
  return fault.resource === undefined || resources.some((resource) => names(fault.resource, resource));
}
