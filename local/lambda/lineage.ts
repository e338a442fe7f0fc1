import { createHash, randomBytes } from 'node:crypto';

/**
 * How often each function was called in a chain of calls, by a hash of its name. It travels in the X-Ray trace header,
 * which the SDK passes on: https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 */
export type Lineage = ReadonlyMap<string, number>;

/** Lambda calls a function so many times in a chain, and then no more. */
export const LONGEST_CHAIN = 16;

const hashOf = (lambda: string): string => createHash('sha256').update(lambda).digest('hex').slice(0, 8);

/** Of a header that has none, or is none: an empty one. */
export function readLineage(header = ''): Lineage {
  const [, calls = ''] = /(?:^|;)Lineage=([^;]*)/.exec(header) ?? [];
  const entries = calls.split('|').map((call) => /^([0-9a-f]{8}):(\d{1,5})$/.exec(call));
  return new Map(
    entries.flatMap((entry): [string, number][] => (entry?.[1] ? [[entry[1], Number(entry[2])]] : [])),
  );
}

export const callsIn = (lineage: Lineage, lambda: string): number => lineage.get(hashOf(lambda)) ?? 0;

/** The chains of several messages that are handed over in one call, with this call. */
export function calledBy(lineages: readonly Lineage[], lambda: string): Lineage {
  const joined = new Map<string, number>();
  for (const [hash, calls] of lineages.flatMap((lineage) => [...lineage]))
    joined.set(hash, Math.max(calls, joined.get(hash) ?? 0));
  return joined.set(hashOf(lambda), callsIn(joined, lambda) + 1);
}

/** A trace header of its own, in which the chain goes on. */
export function traceHeader(lineage: Lineage = new Map()): string {
  const seconds = Math.floor(Date.now() / 1_000).toString(16);
  const root = `1-${seconds}-${randomBytes(12).toString('hex')}`;
  const calls = [...lineage].map(([hash, count]) => `${hash}:${count}`).join('|');
  const header = `Root=${root};Parent=${randomBytes(8).toString('hex')};Sampled=0`;
  return calls === '' ? header : `${header};Lineage=${calls}`;
}
