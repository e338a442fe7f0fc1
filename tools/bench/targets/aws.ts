/** In a thread of its own: what tenants and AWS have besides tables. It accepts everything that is right. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { externalIdOf } from './targets.ts';

/** Milliseconds of a call, about those of a service in the same region. */
const roundTrip = 5;

type Answer = { status?: number; type?: string; body?: string };

const xml = 'text/xml';

const session = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
<AccessKeyId>ASIAEXAMPLE</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>${'x'.repeat(800)}</SessionToken>
<Expiration>2126-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;

const denied =
  '<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>No</Message></Error></ErrorResponse>';

/** A tenant's role wants its external id. A delivery role is the operator's own. */
function assumeRole(body: string): Answer {
  const form = new URLSearchParams(body);
  const index = /omi-event-export-(\d+)$/.exec(form.get('RoleArn') ?? '')?.[1];
  const isAllowed = index === undefined || form.get('ExternalId') === externalIdOf(Number(index));
  return isAllowed ? { type: xml, body: session } : { status: 403, type: xml, body: denied };
}

type Entries = { Entries?: { Id: string; MessageBody: string }[] };

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

const sent = (body: string): object => ({
  Successful: ((JSON.parse(body) as Entries).Entries ?? []).map(({ Id, MessageBody }) => ({
    ...{ Id, MessageId: Id, MD5OfMessageBody: md5(MessageBody) },
    SequenceNumber: '1',
  })),
});

function json(operation: string, body: string): Answer {
  const taken = Array.from({ length: body.match(/"Data":/g)?.length ?? 0 }, () => ({
    SequenceNumber: '1',
    RecordId: '1',
  }));
  const answers: Record<string, () => object> = {
    PutRecords: () => ({ Records: taken, FailedRecordCount: 0 }),
    PutRecordBatch: () => ({ RequestResponses: taken, FailedPutCount: 0 }),
    DescribeStreamSummary: () => ({ StreamDescriptionSummary: {} }),
    Decrypt: () => ({ Plaintext: Buffer.from(`whsec_${'A'.repeat(32)}`).toString('base64') }),
    SendMessage: () => ({
      MessageId: '1',
      MD5OfMessageBody: md5((JSON.parse(body) as { MessageBody: string }).MessageBody),
    }),
    SendMessageBatch: () => sent(body),
  };
  return { type: 'application/x-amz-json-1.1', body: JSON.stringify(answers[operation]?.() ?? {}) };
}

function webhook(body: string): Answer {
  const { challenge } = JSON.parse(body) as { challenge?: string };
  return { type: 'application/json', body: JSON.stringify(challenge === undefined ? {} : { challenge }) };
}

const bucket = (method: string): Answer =>
  method === 'GET' ? { type: xml, body: '<ListBucketResult/>' } : {};

function answerTo({ method = '', url = '', headers }: IncomingMessage, body: string): Answer {
  const operation = headers['x-amz-target'];
  if (typeof operation === 'string') return json(operation.replace(/^.*\./, ''), body);
  if (url.startsWith('/webhooks/')) return webhook(body);
  return method === 'POST' ? assumeRole(body) : bucket(method);
}

const server = createServer((request, response) => {
  void text(request).then(async (body) => {
    const { status = 200, type, body: answer } = answerTo(request, body);
    await wait(roundTrip);
    response.writeHead(status, {
      'x-amz-bucket-region': 'eu-central-1',
      ...(type !== undefined && { 'content-type': type }),
    });
    response.end(answer);
  });
});
await once(server.listen(0, '127.0.0.1'), 'listening');
parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
