import {
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Fauxqs, startFauxqs } from '../../../local/aws/fauxqs.ts';
import * as services from '../../../local/aws/wire/services.ts';
import { type Alone, clientOf, startAlone } from './clients.ts';

let fauxqs: Fauxqs;
let front: Alone;
let sqs: SQSClient;

beforeAll(async () => {
  fauxqs = await startFauxqs();
  front = await startAlone(services.sqs, fauxqs.sqs);
  sqs = new SQSClient(clientOf(front.url));
});
afterAll(async () => {
  await front.close();
  await fauxqs.close();
});

/** What came of a message's text: itself, or the reason for which SQS takes none of it. */
async function passed(MessageBody: string): Promise<string | undefined> {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'parking' }));
  const { Failed } = await sqs.send(
    new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: '0', MessageBody }] }),
  );
  if (Failed?.[0]) return Failed[0].Code;
  const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
  return Messages?.[0]?.Body;
}

test.each(['🦊 👩‍👩‍👧', '\u{10000}\u{10ffff}', 'é\u2028\ud7ff\ue000\ufffd', '\t\n\r '])(
  'a message may be %j, as at AWS',
  async (text) => {
    expect(await passed(text)).toBe(text);
  },
);

test.each(['\u0000', '\u001f', '\ufffe', 'a\uffff'])('but not %j', async (text) => {
  expect(await passed(text)).toMatch(/InvalidMessageContents/);
});
