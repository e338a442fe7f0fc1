import { ConsumerError, type VerifyTreeOptions } from '#consumer';
import { listMinutes } from '../../core/export/log/list-minutes.ts';
import type { LogHead, SignedCheckpoint } from '../../core/export/log/log-head.ts';
import { type LogStore, MissingNode } from '../../core/export/log/log-store.ts';
import { proveConsistency } from '../../core/export/log/prove.ts';

export type StoredLogs = Pick<LogStore, 'minutes' | 'nodes'>;

/**
 * What a verifier asks the service for, read from the tables.
 *
 * @param heads of the logs of all generations
 */
export function storedExports(
  logs: StoredLogs,
  heads: readonly LogHead[],
  signed: SignedCheckpoint,
): VerifyTreeOptions['exports'] {
  const headOf = (generation?: number): LogHead => {
    const head = heads.find(({ log }) => log.generation === generation);
    if (head) return head;
    throw new ConsumerError('not-in-log', `The tables have no log of generation ${generation}.`);
  };
  return {
    checkpoint: async (_, generation) =>
      await Promise.resolve(generation === undefined ? signed.text : (headOf(generation).signed?.text ?? '')),
    logMinutes: async (_, { from, to }, generation) =>
      await listMinutes({ logs }, headOf(generation), { from: from.getTime(), to: to.getTime() }),
    consistencyProof: async (_, range, generation) => {
      try {
        return (await proveConsistency({ logs }, headOf(generation), range)).path;
      } catch (error) {
        if (!(error instanceof MissingNode)) throw error;
        // Without its hashes, the tree proves nothing. The verifier reports that.
        return [];
      }
    },
  };
}
