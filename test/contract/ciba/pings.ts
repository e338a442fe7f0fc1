/** Ping mode: the client is told that its request has ended, and then redeems it. */
import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { challengeIdOf } from '../../../core/kernel/identifiers.ts';
import { bodyOf } from '../../../client/http.ts';
import { eventually } from '../../support/waiting.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { accessAs } from '../../../tools/local/seed/aws-access.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectSchema } from '../../support/openapi.ts';
import { Receiver } from '../../support/receiver.ts';
import { enrolDevice, openChallenge } from '../scenario.ts';
import { ClientRegister, expectOAuthError, type OAuthClient } from './oauth-client.ts';

export function pings(stack: TestStack): void {
  let receiver: Receiver;
  let client: OAuthClient;
  let database: DynamoDBDocumentClient;
  beforeAll(async () => {
    receiver = await Receiver.start();
    client = await new ClientRegister(stack).withPings(`${receiver.origin}/ciba`);
    database = DynamoDBDocumentClient.from(
      new DynamoDBClient(accessAs('READER', stack.file.aws, 'dynamodb')),
    );
  });
  afterAll(async () => {
    await receiver.close();
    database.destroy();
  });

  const ask = async () => {
    const phone = await enrolDevice(stack.website);
    const token = randomBytes(24).toString('base64url');
    const started = await client.start(phone.identity.userId, { client_notification_token: token });
    return { phone, token, id: started.auth_req_id };
  };
  const pinged = async (id: string) =>
    await eventually(
      'The ping',
      async () => await Promise.resolve(receiver.calls.find(({ text }) => text.includes(id))),
    );
  const stored = async (id: string) => {
    const pk = challengeIdOf(stack.file.tenants[0].tenantId, id);
    const { Item = {} } = await database.send(
      new GetCommand({ TableName: localTables.confirmations, Key: { pk }, ConsistentRead: true }),
    );
    return Item;
  };

  test.each(['confirm', 'deny'] as const)(
    'pings the client after the user’s answer: %s',
    async (decision) => {
      const { phone, token, id } = await ask();
      const before = JSON.stringify(await stored(id));
      // At rest there is neither the id nor the token.
      expect(before).not.toContain(id);
      expect(before).not.toContain(token);
      bodyOf(await phone.answer(await openChallenge(phone), { decision }));
      const { headers, text, path } = await pinged(id);
      expect({ path, authorization: headers['authorization'], type: headers['content-type'] }).toEqual({
        path: '/ciba',
        authorization: `Bearer ${token}`,
        type: 'application/json',
      });
      expect(JSON.parse(text)).toEqual({ auth_req_id: id });
      expectSchema('Ping', JSON.parse(text));
      const answer = await client.poll(id);
      if (decision === 'confirm') expect(answer.status).toBe(200);
      else expectOAuthError(answer, 'access_denied');
      await eventually('The removal of what is sealed', async () =>
        (await stored(id))['ping'] === undefined ? true : undefined,
      );
    },
  );

  test('lets a pinged client poll as well', async () => {
    const { id } = await ask();
    expectOAuthError(await client.poll(id), 'authorization_pending');
  });
}
