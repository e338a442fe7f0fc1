import { createHash, randomBytes } from 'node:crypto';

/**
 * The number of calls of each function in a chain of calls, by a hash of its name. The SDK forwards it in the X-Ray trace
 * header: https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 */
export type Lineage = ReadonlyMap<string, number>;

/** Lambda calls a function at most this often in a chain. */
export const longestChain = 16;

const hashOf = (lambda: string): string => createHash('sha256').update(lambda).digest('hex').slice(0, 8);

/** Empty for a header without a lineage, and for an invalid header. */
export function readLineage(header = ''): Lineage {
  const [, calls = ''] = /(?:^|;)Lineage=([^;]*)/.exec(header) ?? [];
  const entries = calls.split('|').map((call) => /^([0-9a-f]{8}):(\d{1,5})$/.exec(call));
  return new Map(
    entries.flatMap((entry): [string, number][] => (entry?.[1] ? [[entry[1], Number(entry[2])]] : [])),
  );
}

export const callsIn = (lineage: Lineage, lambda: string): number => lineage.get(hashOf(lambda)) ?? 0;

/** Merges the chains of the messages of one call, and counts this call. */
export function calledBy(lineages: readonly Lineage[], lambda: string): Lineage {
  const joined = new Map<string, number>();
  for (const [hash, calls] of lineages.flatMap((lineage) => [...lineage]))
    joined.set(hash, Math.max(calls, joined.get(hash) ?? 0));
  return joined.set(hashOf(lambda), callsIn(joined, lambda) + 1);
}

/** A new trace header that continues the chain. */
export function traceHeader(lineage: Lineage = new Map()): string {
  const seconds = Math.floor(Date.now() / 1_000).toString(16);
  const root = `1-${seconds}-${randomBytes(12).toString('hex')}`;
  const calls = [...lineage].map(([hash, count]) => `${hash}:${count}`).join('|');
  const header = `Root=${root};Parent=${randomBytes(8).toString('hex')};Sampled=0`;
  return calls === '' ? header : `${header};Lineage=${calls}`;
}
