import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, test } from '@jest/globals';
import { sqsClient } from '../../../core/aws/sqs-client.ts';

test('a message is sent although the connection broke while the Lambda was frozen', async () => {
  const [answered, broken] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    // The second call comes on the connection of the first, which is dead by then.
    if (calls === 2) {
      request.socket.destroy();
      broken.resolve(undefined);
      return;
    }
    const sent = { MessageId: '1', MD5OfMessageBody: '9dd4e461268c8034f5c8564e155c67a6' };
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(sent));
    answered.resolve(undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, { AWS_REGION: 'eu-central-1', AWS_ENDPOINT_URL_SQS: url });
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
  const client = sqsClient();
  const send = async () =>
    await client.send(new SendMessageCommand({ QueueUrl: `${url}/queue`, MessageBody: 'x' }));
  await send();
  await answered.promise;
  expect((await send()).MessageId).toBe('1');
  await broken.promise;
  expect(calls).toBe(3);
  client.destroy();
  server.close();
  server.closeAllConnections();
});
