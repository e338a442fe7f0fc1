import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { PublicEvent } from '../../../core/events/event.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { eventually } from '../../support/waiting.ts';
import { storedIn } from '../../support/stored-events.ts';
import { postAnswer } from '../../../client/device/device-api.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectMembers, expectProblem, retryAfterOf, succeeded } from '../expectations.ts';
import { expectStatus, pushesTo, tryPush } from '../scenario.ts';
import { altered, type ExpiringConfirmations } from './expiring.ts';

/** Until the clock says so: nothing is told when a confirmation expires. */
const reached = async (time: string) => await wait(Math.max(0, Date.parse(time) - Date.now() + 20));

/** Long enough for whatever else would be recorded. */
const quiet = async () => await wait(3_000);

/** What the service has recorded about a confirmation of the demo tenant, read where the export reads it. */
async function eventsOf(
  { file }: TestStack,
  { challengeId }: { challengeId: string },
): Promise<PublicEvent[]> {
  const { region, endpoints } = file.aws;
  const credentials = { accessKeyId: 'TEST', secretAccessKey: 'test' };
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ region, endpoint: endpoints.dynamodb, credentials }),
  );
  const [{ tenantId }] = file.tenants;
  const stored = await storedIn(client, `${tenantId}#${challengeId}`, localTables.events);
  return stored.map((event) => JSON.parse(event) as PublicEvent);
}

export function expiry(stack: TestStack, expiring: ExpiringConfirmations): void {
  test('becomes expired at the moment when its lifetime ends', async () => {
    const { sent } = expiring.get().unanswered;
    await reached(sent.expiresAt);
    const answer = await stack.website.getConfirmation(sent.nonce);
    const ended = succeeded(answer, 200);
    expect(ended).toMatchObject({ status: 'expired', challengeId: sent.challengeId });
    const always = Object.keys(sent);
    expectMembers(ended, [...always, 'openedAt'], ['decidedAt']);
    expect(answer.headers.get('retry-after')).toBeNull();
  });

  test('rejects an answer with 410 and does not change', async () => {
    const { device, sent, challenge } = expiring.get().unanswered;
    await reached(sent.expiresAt);
    expect(succeeded(await device.challenges(), 200)).toMatchObject({ challenges: [] });
    expectProblem(await device.confirm(challenge), 410, 'challenge-expired');
    expectProblem(await device.deny(challenge, 'not_me'), 410, 'challenge-expired');
    const { evidence } = await expectStatus(stack.website, sent.nonce, 'expired');
    expect(evidence).toBeUndefined();
  });

  test('is returned for a repetition of its push, which sends nothing', async () => {
    const { device, asked, sent } = expiring.get().unanswered;
    await reached(sent.expiresAt);
    expect(succeeded(await tryPush(stack.website, device, asked), 202)).toMatchObject({
      status: 'expired',
      challengeId: sent.challengeId,
    });
    expect(await pushesTo(stack, device.description.pushToken)).toHaveLength(1);
  });

  test('cannot become failed by a third mismatching answer', async () => {
    const { device, sent, challenge } = expiring.get().mismatched;
    await reached(sent.expiresAt);
    expectProblem(await device.confirm(challenge, altered), 410, 'challenge-expired');
    await expectStatus(stack.website, sent.nonce, 'expired');
  });

  test('cannot become cancelled by the removal of its device', async () => {
    const { device, sent } = expiring.get().removed;
    await reached(sent.expiresAt);
    succeeded(await device.remove(), 204);
    await expectStatus(stack.website, sent.nonce, 'expired');
  });

  test('counts like a denied one: two more start a pause', async () => {
    const { device, sent } = expiring.get().refusing;
    await reached(sent.expiresAt);
    const answer = await tryPush(stack.website, device);
    expectProblem(answer, 429, 'too-many-notifications');
    expect(retryAfterOf(answer)).toBeLessThanOrEqual(300);
    await expectStatus(stack.website, sent.nonce, 'expired');
  });

  test('a confirmation answered in time stays confirmed', async () => {
    const { decidingJws, confirmed } = expiring.get();
    await reached(confirmed.sent.expiresAt);
    await expectStatus(stack.website, confirmed.sent.nonce, 'confirmed');
    const { device, challenge } = confirmed;
    const again = await postAnswer(device.identity.baseUrl, challenge.challengeId, decidingJws);
    expect(succeeded(again, 200)).toEqual({ status: 'confirmed' });
    expectProblem(await device.deny(challenge), 409, 'already-decided');
  });

  test('is recorded as an event exactly once, also where nobody polls', async () => {
    const { unasked } = expiring.get();
    const [sent, expired, ...others] = await eventually('the event of the end', async () => {
      const events = await eventsOf(stack, unasked);
      return events.length > 1 ? events : undefined;
    });
    expect(others).toEqual([]);
    expect(sent?.metadata.type).toBe('PushNotificationSentEvent');
    const { challengeId, userId, deviceId, messageHash, expiresAt } = unasked;
    expect(expired).toMatchObject({
      metadata: {
        ...{ type: 'PushNotificationExpiredEvent', category: 'public' },
        ...{ aggregateId: challengeId, occurredTime: expiresAt },
      },
      payload: { userId, deviceId, challengeId, messageHash },
    });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
    // The minute that an expiry may take.
    await quiet();
    expect(await eventsOf(stack, unasked)).toHaveLength(2);
  });
}
