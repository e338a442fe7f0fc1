import type { ChallengeContext } from '#device';

export type RequestOrigin = NonNullable<ChallengeContext['requestedFrom']>;

/** What people recognize: browser and place. An address only where there is nothing else. */
export function originParts({ browser, place, ip }: RequestOrigin): string[] {
  const known = [browser, place].filter((part) => part !== undefined);
  return known.length > 0 || ip === undefined ? known : [ip];
}
