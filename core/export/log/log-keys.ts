import { describeTarget, type TargetRef } from '../../events/target-ref.ts';

/** A log of a tenant and category. A restore begins another generation. */
export type LogName = TargetRef & { generation: number };

const described = ({ generation, ...ref }: LogName): string => `${describeTarget(ref)}#${generation}`;

/** The keys of the items of the table `log`. Those of leaves spread over partitions, because they are written at once. */
export const logKeys = {
  head: (ref: TargetRef) => ({ pk: describeTarget(ref), sk: 'head' }),
  /** The head of a log that a restore has ended. */
  endedHead: (log: LogName) => ({ pk: describeTarget(log), sk: `head#${log.generation}` }),
  minutes: (log: LogName) => `minutes#${described(log)}`,
  minute: (log: LogName, minute: string) => ({ pk: `minutes#${described(log)}`, sk: minute }),
  /** The hashes that a leaf completes. */
  nodes: (log: LogName, leaf: number) => ({
    pk: `nodes#${described(log)}`,
    sk: String(leaf).padStart(9, '0'),
  }),
  /** What the pages of a minute's leaves are. `attempt` tells them from those of another Lambda, which came too late. */
  directory: (log: LogName, minute: string, attempt: string) => ({
    pk: `leaves#${described(log)}#${minute}`,
    sk: attempt,
  }),
  page: (log: LogName, minute: string, attempt: string, page: number) => ({
    pk: `leaves#${described(log)}#${minute}#${page}`,
    sk: attempt,
  }),
  late: (log: LogName, minute: string) => `late#${described(log)}#${minute}`,
} as const;
