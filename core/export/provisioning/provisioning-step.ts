import type { Fault } from '../targets/target.ts';

/** Both in milliseconds since 1970. */
export type Occasion = { now: number; requestedAt: number };

/** What a step did, or found; after some nothing is left to do, after the others somebody has to look again. */
export type Step =
  | { outcome: 'provisioned' | 'nothing' }
  | { outcome: 'refused'; fault: Fault }
  | { outcome: 'created' | 'updated' | 'deleted' | 'settling' | 'changed'; again: true }
  | { outcome: 'draining'; again: true; until: number }
  | { outcome: 'failed'; again: true; fault: Fault };
