import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SNSClient } from '@aws-sdk/client-sns';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { PlatformApplicationClient } from '../../../core/devices/push/platform-application-client.ts';
import { respond } from '../../../core/lambda/custom-resource.ts';

const arn = 'arn:aws:sns:eu-central-1:000000000000:app/GCM/omi-dev';

type Answer = { status: number; body: string };
type Request = { method: string | undefined; headers: IncomingHttpHeaders; body: string };

const ok: Answer = { status: 200, body: '<Response/>' };
const notFound: Answer = {
  status: 404,
  body: '<ErrorResponse><Error><Type>Sender</Type><Code>NotFound</Code><Message>no</Message></Error></ErrorResponse>',
};
const created: Answer = {
  status: 200,
  body: `<R><CreatePlatformApplicationResult><PlatformApplicationArn>${arn}</PlatformApplicationArn></CreatePlatformApplicationResult></R>`,
};

let answers: Answer[];
let requests: Request[];
let url: string;

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    requests.push({ method: request.method, headers: request.headers, body });
    const answer = answers.shift() ?? ok;
    response.writeHead(answer.status).end(answer.body);
  });
});

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  answers = [];
  requests = [];
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

describe('the platform application', () => {
  const actions = () => requests.map(({ body }) => new URLSearchParams(body).get('Action'));
  const attributes = { PlatformCredential: 'key' };
  const applications = () =>
    new PlatformApplicationClient(
      new SNSClient({
        endpoint: url,
        region: 'eu-central-1',
        credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
      }),
    );

  test('is created if there is none, with the name at the end of its ARN', async () => {
    answers = [notFound, created];
    await applications().put(arn, 'GCM', attributes);
    expect(actions()).toEqual(['SetPlatformApplicationAttributes', 'CreatePlatformApplication']);
    expect(Object.fromEntries(new URLSearchParams(requests[1]?.body))).toMatchObject({
      Name: 'omi-dev',
      Platform: 'GCM',
      'Attributes.entry.1.key': 'PlatformCredential',
      'Attributes.entry.1.value': 'key',
    });
  });

  test('is updated if there is one, because creating it with other credentials would fail', async () => {
    await applications().put(arn, 'GCM', attributes);
    expect(actions()).toEqual(['SetPlatformApplicationAttributes']);
  });

  test('must have the ARN that policies and Lambdas use', async () => {
    answers = [notFound, { ...created, body: created.body.replace('omi-dev', 'other') }];
    await expect(applications().put(arn, 'GCM', attributes)).rejects.toThrow('Expected SNS to create');
  });

  test('is deleted by its ARN', async () => {
    await applications().delete(arn);
    expect(new URLSearchParams(requests[0]?.body).get('PlatformApplicationArn')).toBe(arn);
  });
});

describe('the response to CloudFormation', () => {
  const event = () =>
    ({
      ResponseURL: `${url}/answer?X-Amz-Signature=1`,
      StackId: 'stack',
      RequestId: 'request',
      LogicalResourceId: 'logical',
    }) as CloudFormationCustomResourceEvent;

  test('is put at the signed URL without a content type, which the signature lacks', async () => {
    await respond(event(), { status: 'FAILED', physicalResourceId: 'id', reason: 'why' });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'PUT', headers: { 'content-type': '' } });
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      Status: 'FAILED',
      Reason: 'why',
      PhysicalResourceId: 'id',
      StackId: 'stack',
      RequestId: 'request',
      LogicalResourceId: 'logical',
    });
  });

  test('is retried by Lambda if it did not arrive', async () => {
    answers = [{ status: 503, body: '' }];
    await expect(respond(event(), { status: 'SUCCESS', physicalResourceId: 'id' })).rejects.toThrow(
      'status 503',
    );
  });
});
