import { isObject } from './jws.ts';
import type { KeyLookup, OmiKey } from './types.ts';

/** As long as the service lets others keep it. */
const keptMs = 5 * 60_000;

const isKey = (value: unknown): value is OmiKey =>
  isObject(value) && ['kid', 'kty', 'for', 'from'].every((name) => typeof value[name] === 'string');

export const isKeyDocument = (value: unknown): value is { keys: OmiKey[] } =>
  isObject(value) && Array.isArray(value['keys']) && value['keys'].every(isKey);

/**
 * Finds receipts' keys in `omi-keys`, which is loaded when it is needed and kept for 5 minutes. A `kid` that is not in it may be
 * new: then it is loaded again, once. Calls at the same time share a load.
 */
export function keySource(
  load: () => Promise<{ keys: readonly OmiKey[] }>,
  now: () => number = Date.now,
): KeyLookup {
  let kept: { keys: readonly OmiKey[]; at: number } | undefined;
  let flight: Promise<void> | undefined;
  const loadOnce = async (): Promise<void> => {
    const at = now();
    kept = { keys: (await load()).keys, at };
  };
  const renew = async (): Promise<void> => {
    flight ??= loadOnce().finally(() => (flight = undefined));
    await flight;
  };
  const find = (kid: string): OmiKey | undefined =>
    kept?.keys.find((key) => key.kid === kid && key.for === 'receipt');

  return async (kid) => {
    const isOld = !kept || now() - kept.at > keptMs;
    if (isOld) await renew();
    if (!isOld && !find(kid)) await renew();
    return find(kid);
  };
}
