import { randomUUID } from 'node:crypto';
import { GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { CallbackQueue } from '../../../core/callbacks/callback-queue.ts';
import { bodyOf } from '../../../client/http.ts';
import { localQueues } from '../../../tools/local/resources/queues.ts';
import { untilCalled } from '../../support/recorded-calls.ts';
import type { TestStack } from '../../support/stack.ts';
import { accepting, answering, Receiver } from '../../support/receiver.ts';
import { CallbackWebsite } from '../callbacks/website.ts';
import { enrolDevice, openChallenge, push } from '../scenario.ts';
import { question } from '../website/groups.ts';

async function withQueue(
  { file: { aws } }: TestStack,
  QueueName: string,
  work: (client: SQSClient, url: string) => Promise<unknown>,
): Promise<void> {
  const credentials = { accessKeyId: 'OPERATOR', secretAccessKey: 'any' };
  const client = new SQSClient({ region: aws.region, endpoint: aws.endpoints.sqs, credentials });
  const { QueueUrl = '' } = await client.send(new GetQueueUrlCommand({ QueueName }));
  await work(client, QueueUrl);
  client.destroy();
}

/** Asks a new user, who confirms. @returns the challenge's id */
async function confirmed({ client }: CallbackWebsite, ready?: (challengeId: string) => Promise<void>) {
  const device = await enrolDevice(client);
  const { challengeId } = await push(client, device);
  await ready?.(challengeId);
  bodyOf(await device.confirm(await openChallenge(device)));
  return challengeId;
}

/** Asks two new users, of whom one decides. @returns the group's id */
async function decided({ client }: CallbackWebsite): Promise<string> {
  const [one, other] = [await enrolDevice(client), await enrolDevice(client)];
  const { groupId } = bodyOf(await client.requestGroup(question([one, other], 1)));
  bodyOf(await one.confirm(await openChallenge(one)));
  return groupId;
}

/** A receiver that is not known, that is quick, that fails once, and that is gone until a test call succeeds. */
async function callbacks(stack: TestStack): Promise<void> {
  const receiver = await Receiver.start();
  const website = await CallbackWebsite.open(stack, receiver.url);
  await receiver.until(1, await confirmed(website));
  // Not the next call that comes: it may be about an earlier confirmation, once more.
  receiver.behave = (response, call, calls) => {
    const { challengeId, groupId } = call.body.data;
    const isFirst = receiver.about(challengeId ?? groupId).length === 1;
    return (isFirst ? answering(500) : accepting)(response, call, calls);
  };
  for (const subject of [confirmed, decided]) await receiver.until(2, await subject(website));
  receiver.behave = answering(410);
  await receiver.until(1, await confirmed(website));
  const waiting = await confirmed(website);
  await untilCalled(stack, 'retry-callback', 'UpdateItem', 'omi-local-attempts');
  receiver.behave = accepting;
  const { clientId } = website;
  await withQueue(stack, localQueues.retries, async (client, url) => {
    await new CallbackQueue(client, url).send([{ kind: 'test', testId: randomUUID(), clientId }]);
  });
  await receiver.until(1, waiting);
  await receiver.close();
}

/** The first ping goes to a receiver that is not known, the second to one that is quick. */
async function pings(stack: TestStack): Promise<void> {
  const receiver = await Receiver.start();
  const website = await CallbackWebsite.open(stack, receiver.url);
  await website.registerPings(receiver.url);
  for (const calls of [1, 2]) {
    await confirmed(website, async (challengeId) => {
      await website.willBePinged(challengeId);
    });
    // As many callbacks as pings.
    await receiver.until(2 * calls);
  }
  await receiver.close();
}

/** It comes again later. */
async function malformed(stack: TestStack): Promise<void> {
  await withQueue(stack, localQueues.callbacks, async (client, QueueUrl) => {
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'no JSON' }));
  });
  await untilCalled(stack, 'deliver-callback', 'ChangeMessageVisibilityBatch');
}

export const callbackPaths = [callbacks, pings, malformed];
