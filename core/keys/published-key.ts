import { hours, rfc3339, seconds } from '../kernel/time.ts';
import type { KeyUse } from './key-use.ts';
import type { PublicJwk } from './public-jwk.ts';

/** A public key of the service, and when it may have signed. Times in milliseconds since 1970. */
export type PublishedKey = {
  for: KeyUse;
  jwk: PublicJwk;
  /** When a deployment first named it, which is before its first signature. */
  from: number;
  /** After its last signature. Absent while a deployment names it. */
  until?: number;
};

/** A key that the stage uses now. */
export type CurrentKey = Pick<PublishedKey, 'for' | 'jwk'>;

/** A deployment that no longer names a key begins with the record of keys. Until it has ended, the key may sign. */
const longestDeployment = 2 * hours;

/** Signatures tell their time in whole seconds. */
const wholeSecond = (milliseconds: number): number => Math.floor(milliseconds / seconds) * seconds;

const isSame = (a: CurrentKey, b: CurrentKey): boolean => a.for === b.for && a.jwk.kid === b.jwk.kid;

/**
 * What must be written so that the record has the keys that a deployment names: new ones begin, those that it no longer names
 * end, and those that it names again continue, as after a rollback.
 */
export function changesOf(
  recorded: readonly PublishedKey[],
  current: readonly CurrentKey[],
  now: number,
): PublishedKey[] {
  const begun = current
    .filter((key) => !recorded.some((one) => isSame(one, key)))
    .map((key) => ({ for: key.for, jwk: key.jwk, from: wholeSecond(now) }));
  const isCurrent = (key: PublishedKey): boolean => current.some((one) => isSame(one, key));
  const ended = recorded
    .filter((key) => key.until === undefined && !isCurrent(key))
    .map((key) => ({ ...key, until: wholeSecond(now + longestDeployment) }));
  const continued = recorded
    .filter((key) => key.until !== undefined && isCurrent(key))
    .map(({ for: use, jwk, from }) => ({ for: use, jwk, from }));
  return [...begun, ...ended, ...continued];
}

/** True for the keys of tokens that the stage names now. What it names no longer, it does not trust any more. */
export const verifiesTokens = ({ for: use, until }: PublishedKey): boolean =>
  use === 'token' && until === undefined;

/** A member of the document of all keys. */
export const publishedKeyView = ({ for: use, jwk, from, until }: PublishedKey) => ({
  ...jwk,
  for: use,
  from: rfc3339(from),
  ...(until !== undefined && { until: rfc3339(until) }),
});
