import type { Answer, Challenge } from '#device';
import { readContext } from '#device';
import { deviceOf } from '../device-of.ts';
import type { Account, HistoryOutcome } from '../model.ts';
import { AccountStore } from '../storage/account-store.ts';
import { HistoryStore } from '../storage/history-store.ts';
import { openDatabase, ownDatabase } from '../storage/schema.ts';

/** What the user can choose on a notification. */
export type Action = 'confirm' | 'deny';

type Asked = { account: Account; challenge: Challenge };

/** The question, as the service has it now: at the first of the accounts that is asked it. */
async function find(store: AccountStore, challengeId: string): Promise<Asked | undefined> {
  for (const account of await store.list()) {
    const challenges = await deviceOf(account).challenges();
    const challenge = challenges.find((one) => one.challengeId === challengeId);
    if (challenge) return { account, challenge };
  }
  return undefined;
}

/** True if the notification has shown all that is asked, and nothing but "yes" is needed. */
export function canConfirm(
  { message, matchNumbers, typedNumber, details, context }: Challenge,
  shown: string,
) {
  const { userVerification, purpose } = readContext(context);
  const isPlain = !matchNumbers && !typedNumber && details === undefined && purpose === undefined;
  return isPlain && userVerification === 'off' && message === shown;
}

const answers: Readonly<Record<Action, Answer>> = {
  confirm: { decision: 'confirm' },
  deny: { decision: 'deny', reason: 'user_declined' },
};

/**
 * Signs and sends what the user chose on a notification.
 *
 * @param shown the text of the notification
 * @returns how the question ended; undefined if the user must look at it in the app
 * @throws {DeviceError} if the service refuses the answer, or cannot be reached
 */
export async function answerFromNotification(
  challengeId: string,
  action: Action,
  shown: string,
): Promise<HistoryOutcome | undefined> {
  const database = openDatabase(ownDatabase);
  const asked = await find(new AccountStore(database), challengeId);
  if (!asked || (action === 'confirm' && !canConfirm(asked.challenge, shown))) return undefined;
  const { account, challenge } = asked;
  await deviceOf(account).answer(challenge, answers[action]);
  const outcome = action === 'confirm' ? 'confirmed' : 'denied';
  const { userVerification: _, ...context } = readContext(challenge.context);
  const { message, details } = challenge;
  await new HistoryStore(database).add({
    ...{ challengeId, deviceId: account.deviceId, message, outcome, at: Date.now() },
    ...context,
    ...(details !== undefined && { details }),
  });
  return outcome;
}
