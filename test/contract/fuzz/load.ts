import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PublicEvent } from '../../../core/domain/event.ts';
import type { Confirmation } from '../../../local/client/contract.ts';
import { localTables } from '../../../local/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import type { StoredGroup } from '../../support/stored-events.ts';
import { succeeded } from '../expectations.ts';
import { enrolDevice, openChallenge, poll, push } from '../scenario.ts';

const LONG = 120_000;
const FLOWS = 300;
const AT_ONCE = 20;

const outcomes = {
  confirm: { status: 'confirmed', event: 'PushNotificationConfirmedEvent' },
  user_declined: { status: 'denied', event: 'PushNotificationDeniedEvent' },
  not_me: { status: 'denied', event: 'PushNotificationDeniedEvent' },
  ignore: { status: 'expired', event: 'PushNotificationExpiredEvent' },
} as const;
type Choice = keyof typeof outcomes;

/** What the user of each device will do. Those who do nothing come first: all wait for them. */
const choices = (): Choice[] =>
  fc
    .sample(fc.constantFrom<Choice>('confirm', 'confirm', 'user_declined', 'not_me', 'ignore'), {
      numRuns: FLOWS,
      seed: 20_260_101,
    })
    .toSorted((one, other) => Number(other === 'ignore') - Number(one === 'ignore'));

type Flow = { choice: Choice; sent: Confirmation; ended: Promise<Confirmation> };

async function flow({ website }: TestStack, choice: Choice): Promise<Flow> {
  const device = await enrolDevice(website);
  const sent = await push(website, device, { expiresIn: 30 });
  const challenge = await openChallenge(device);
  if (choice === 'confirm') succeeded(await device.confirm(challenge), 200);
  else if (choice !== 'ignore') succeeded(await device.deny(challenge, choice), 200);
  const ended = pollToTheEnd(website, sent);
  // Its failure is met where it is awaited, which may be half a minute later.
  ended.catch(() => undefined);
  if (choice !== 'ignore') await ended;
  return { choice, sent, ended };
}

async function pollToTheEnd(website: TestStack['website'], { nonce }: Confirmation): Promise<Confirmation> {
  for (;;) {
    const confirmation = await poll(website, nonce);
    if (confirmation.status !== 'pending') return confirmation;
    await wait(confirmation.interval * 1_000);
  }
}

async function inParallel<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const waiting = items.values();
  const results: Result[] = [];
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const item of waiting) results.push(await work(item));
  });
  await Promise.all(workers);
  return results;
}

/** The types of all events by aggregate, in the order of their acceptance. */
async function recordedTypes({ file }: TestStack): Promise<Map<string, string[]>> {
  const { region, endpoints } = file.aws;
  const credentials = { accessKeyId: 'TEST', secretAccessKey: 'test' };
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ region, endpoint: endpoints.dynamodb, credentials }),
  );
  const groups: StoredGroup[] = [];
  for await (const { Items = [] } of paginateScan(
    { client },
    { TableName: localTables.events, ConsistentRead: true },
  ))
    groups.push(
      ...(Items as Partial<StoredGroup>[]).filter((item): item is StoredGroup => item.events !== undefined),
    );
  client.destroy();
  const events = groups
    .toSorted((one, other) => (one.sequence < other.sequence ? -1 : 1))
    .flatMap((group) => group.events.map(({ event }) => JSON.parse(event) as PublicEvent));
  const byAggregate = Map.groupBy(events, ({ metadata }) => metadata.aggregateId);
  return new Map([...byAggregate].map(([id, its]) => [id, its.map(({ metadata }) => metadata.type)]));
}

export function load(stack: TestStack): void {
  test(
    `of ${FLOWS} confirmations, ${AT_ONCE} at once, each ends as its device chose, and its events tell so`,
    async () => {
      const flows = await inParallel(choices(), async (choice) => await flow(stack, choice));
      const ends = await Promise.all(flows.map(async ({ ended }) => await ended));
      const types = await recordedTypes(stack);
      const found = flows.map(({ choice, sent }, index) => ({
        choice,
        status: ends[index]?.status,
        reason: ends[index]?.reason,
        events: types.get(sent.challengeId),
        device: types.get(sent.deviceId),
      }));
      expect(found).toEqual(
        flows.map(({ choice }) => ({
          choice,
          status: outcomes[choice].status,
          reason: outcomes[choice].status === 'denied' ? choice : undefined,
          events: ['PushNotificationSentEvent', outcomes[choice].event],
          device: ['UserDeviceRegisteredEvent'],
        })),
      );
      expect(new Set(flows.map(({ sent }) => sent.challengeId)).size).toBe(FLOWS);
    },
    LONG,
  );
}
