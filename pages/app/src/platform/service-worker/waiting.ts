import { clearBadge, showBadge } from '../badge.ts';
import { deviceOf } from '../device-of.ts';
import { AccountStore } from '../storage/account-store.ts';
import { openDatabase, ownDatabase } from '../storage/schema.ts';

/**
 * The badge after an answer counts the questions that still wait, at all accounts. It stays as it is if nothing is found and an account
 * could not be asked.
 *
 * @param answered the challenge that has just ended
 */
export async function showWhatWaits(answered: string): Promise<void> {
  const accounts = await new AccountStore(openDatabase(ownDatabase)).list();
  const asked = await Promise.allSettled(
    accounts.map(async (account) => await deviceOf(account).challenges()),
  );
  const waiting = asked
    .flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    .filter(({ challengeId }) => challengeId !== answered);
  if (waiting.length > 0) await showBadge(waiting.length);
  else if (asked.every(({ status }) => status === 'fulfilled')) await clearBadge();
}
