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

type Answer = { status?: number; body: string };

const session = `<AssumeRoleResponse><AssumeRoleResult><Credentials>
<AccessKeyId>ASIAEXAMPLE</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>${'x'.repeat(800)}</SessionToken>
<Expiration>2126-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;
const denied = '<ErrorResponse><Error><Code>AccessDenied</Code><Message>No</Message></Error></ErrorResponse>';

/** A tenant's role wants its external id. A delivery role is the operator's own. */
function assumeRole(body: string): Answer {
  const form = new URLSearchParams(body);
  const index = /omi-event-export-(\d+)$/.exec(form.get('RoleArn') ?? '')?.[1];
  const isAllowed = index === undefined || form.get('ExternalId') === externalIdOf(Number(index));
  return isAllowed ? { body: session } : { status: 403, body: denied };
}

type Message = { MessageBody?: string; Entries?: { Id: string; MessageBody: string }[] };

const md5 = (body = ''): string => createHash('md5').update(body).digest('hex');

function json(operation: string, body: string): object {
  const { MessageBody, Entries = [] } = JSON.parse(body) as Message;
  const taken = Array.from({ length: body.match(/"Data":/g)?.length ?? 0 }, () => ({
    ...{ SequenceNumber: '1', RecordId: '1' },
  }));
  const sent = Entries.map(({ Id, MessageBody: entry }) => ({
    ...{ Id, MessageId: Id, MD5OfMessageBody: md5(entry), SequenceNumber: '1' },
  }));
  const answers: Record<string, object> = {
    PutRecords: { Records: taken, FailedRecordCount: 0 },
    PutRecordBatch: { RequestResponses: taken, FailedPutCount: 0 },
    PutEvents: { Entries: sent, FailedEntryCount: 0 },
    DescribeStreamSummary: { StreamDescriptionSummary: {} },
    Decrypt: { Plaintext: Buffer.from(`whsec_${'A'.repeat(32)}`).toString('base64') },
    SendMessage: { MessageId: '1', MD5OfMessageBody: md5(MessageBody) },
    SendMessageBatch: { Successful: sent },
  };
  return answers[operation] ?? {};
}

function answerTo({ method = '', url = '', headers }: IncomingMessage, body: string): Answer {
  const operation = headers['x-amz-target'];
  if (typeof operation === 'string')
    return { body: JSON.stringify(json(operation.replace(/^.*\./, ''), body)) };
  if (url.startsWith('/webhooks/')) {
    const { challenge } = JSON.parse(body) as { challenge?: string };
    return { body: JSON.stringify({ challenge }) };
  }
  return method === 'POST' ? assumeRole(body) : { body: method === 'GET' ? '<ListBucketResult/>' : '' };
}

const server = createServer((request, response) => {
  void text(request).then(async (body) => {
    const { status = 200, body: answer } = answerTo(request, body);
    await wait(roundTrip);
    const type = answer.startsWith('<') ? 'text/xml' : 'application/json';
    response.writeHead(status, { 'x-amz-bucket-region': 'eu-central-1', 'content-type': type }).end(answer);
  });
});
await once(server.listen(0, '127.0.0.1'), 'listening');
parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
