import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { verifyEvidence } from '#website';
import { withFault, type Fault } from '../../../tools/local/client/local-stack.ts';
import { postAnswer } from '../../../tools/client/device/device-api.ts';
import type { SimulatedDevice } from '../../../tools/client/device/simulated-device.ts';
import { eventsIn } from '../../cli/commands/tables.ts';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/waiting.ts';
import type { TestStack } from '../../support/stack.ts';
import { CallbackWebsite } from '../callbacks/website.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { isSpent } from '../export-faults/faults.ts';
import { noticesTo } from '../further-devices/bank.ts';
import { trustIn } from '../../support/service-keys.ts';
import { enrolDevice, newUser, notification, openChallenge, poll } from '../scenario.ts';
import { patiently } from './patience.ts';

const write = { service: 'dynamodb', operation: 'TransactWriteItems' } as const;
const notice = { service: 'sns', operation: 'Publish' } as const;

const faults: Record<string, Fault & Required<Pick<Fault, 'operation' | 'times'>>> = {
  'DynamoDB throttles the write of an answer': { ...write, fault: 'throttle', times: 1 },
  'DynamoDB is unavailable for both answers': { ...write, fault: 'unavailable', times: 2 },
  'DynamoDB refuses each answer once because of another one': { ...write, fault: 'conflict', times: 2 },
  "the reply to DynamoDB's write is lost": { ...write, fault: 'timeout-after', times: 1 },
  'SNS refuses the notice once': { ...notice, fault: 'throttle', times: 1 },
  "SNS's reply to the notice is lost": { ...notice, fault: 'timeout-after', times: 1 },
  'SQS refuses messages': { service: 'sqs', operation: 'SendMessageBatch', fault: 'unavailable', times: 2 },
  "SQS's reply is lost": { service: 'sqs', operation: 'SendMessageBatch', fault: 'timeout-after', times: 1 },
};

/** Two phones of a user that answer the same question at the same moment. */
export function twoPhones(stack: TestStack): void {
  let receiver: Receiver;
  let website: CallbackWebsite;
  beforeAll(async () => {
    receiver = await Receiver.start();
    website = await CallbackWebsite.open(stack, receiver.url);
  });
  afterAll(async () => await receiver.close());

  /** The notices that another phone has answered. */
  const takenBack = async (phone: SimulatedDevice): Promise<string[]> =>
    (await noticesTo(stack, phone))
      .map(({ payload }) => JSON.stringify(payload))
      .filter((payload) => payload.includes('"answered"'));

  const askBoth = async () => {
    const userId = newUser();
    const phones = [
      await enrolDevice(website.client, userId),
      await enrolDevice(website.client, userId, { platform: 'apns' }),
    ] as const;
    const asked = notification({ devices: 'all' });
    const sent = succeeded(await website.client.sendToUser(userId, asked), 202);
    const challenge = await openChallenge(phones[0]);
    await openChallenge(phones[1]);
    const decisions = ['confirm', 'deny'] as const;
    const answers = phones.map((phone, index) => {
      const decision = decisions[index] ?? 'deny';
      return { phone, decision, jws: phone.signAnswer(challenge, { decision }) };
    });
    const send = async ({ phone, jws }: { phone: SimulatedDevice; jws: string }) =>
      await patiently(async () => await postAnswer(phone.identity.baseUrl, challenge.challengeId, jws));
    return { asked, sent, answers, send };
  };

  test.each(Object.entries(faults))('have one decision although %s', async (_, fault) => {
    const { asked, sent, answers, send } = await askBoth();
    // The website's call-back goes through SQS.
    const { replies, calls } = await withFault(stack.file, fault, async () => {
      const all = {
        replies: await Promise.all(answers.map(async (answer) => ({ ...answer, reply: await send(answer) }))),
        calls: await receiver.until(1, sent.challengeId),
      };
      // The race proves nothing if it did not meet the fault.
      await until(async () => await isSpent(stack.file, fault));
      return all;
    });
    const [winner, ...others] = replies.filter(({ reply }) => reply.ok);
    const [loser] = replies.filter(({ reply }) => !reply.ok);
    if (!winner || !loser) throw new Error(`${1 + others.length} of two answers decided`);
    const status = winner.decision === 'confirm' ? 'confirmed' : 'denied';
    expect(succeeded(winner.reply, 200)).toEqual({ status });
    expectProblem(loser.reply, 409, 'already-decided');

    const { deviceId } = winner.phone.identity;
    const decided = await poll(website.client, sent.nonce);
    expect(decided).toMatchObject({ status, deviceId, evidence: winner.jws });
    const known = { ...asked, ...winner.phone.identity, ...(await trustIn(stack.file)) };
    expect(await verifyEvidence(decided, known)).toMatchObject({ decision: winner.decision });

    // The question disappears from the other phone, and its notification is replaced.
    expect(succeeded(await loser.phone.challenges(), 200).challenges).toEqual([]);
    await until(async () => (await takenBack(loser.phone)).length > 0);
    for (const payload of await takenBack(loser.phone)) expect(payload).toContain(sent.challengeId);
    expect(await takenBack(winner.phone)).toEqual([]);

    // The website is told of this end, and no other is recorded.
    expect(new Set(calls.map(({ body }) => body.type))).toEqual(new Set([`confirmation.${status}`]));
    const events = await eventsIn(stack, `${website.tenantId}#${sent.challengeId}`);
    const ends = { confirmed: 'PushNotificationConfirmedEvent', denied: 'PushNotificationDeniedEvent' };
    expect(events.map(({ metadata }) => metadata['type'])).toEqual([
      'PushNotificationSentEvent',
      ends[status],
    ]);
  });
}
