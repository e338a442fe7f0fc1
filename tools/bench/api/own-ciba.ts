import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { WebsiteClient } from '../../client/website-client.ts';
import { challengeIdOf } from '../../../core/kernel/identifiers.ts';
import { accessAs, using } from '../../local/seed/aws-access.ts';
import { localTables } from '../../local/resources/tables.ts';
import { basicHeaders, cibaClient, cibaRequests, pollForTokens } from './ciba.ts';
import type { Poll } from './load.ts';
import { type LocalStack, newUser } from '../stack/stack.ts';

/** Asks users by CIBA, who never answer. @returns the poll for the tokens, as that of `oidc-provider` */
export async function tokenPoll({ file }: LocalStack): Promise<Poll> {
  const [{ tenantId, clientId, clientSecret }] = file.tenants;
  const headers = basicHeaders(clientId, clientSecret);
  const website = new WebsiteClient({ ...file, ...file.tenants[0] });
  const ids = await Promise.all(
    Array.from({ length: cibaRequests }, async () => {
      const body = new URLSearchParams({
        ...{ scope: 'openid', login_hint: await newUser(website) },
        ...{ binding_message: 'Change your e-mail address?', requested_expiry: '600' },
      });
      const response = await fetch(`${file.baseUrl}/bc-authorize`, { method: 'POST', headers, body });
      if (!response.ok) throw new Error(`bc-authorize: ${response.status} ${await response.text()}`);
      return ((await response.json()) as { auth_req_id: string }).auth_req_id;
    }),
  );
  await withoutInterval(
    file.aws,
    ids.map((id) => challengeIdOf(tenantId, id)),
  );
  return pollForTokens(`${file.baseUrl}/oauth/token`, headers, ids);
}

/** The poll of a server whose stores have prepared answers for every request. */
export const preparedTokenPoll = (baseUrl: string): Poll =>
  pollForTokens(`${baseUrl}/oauth/token`, basicHeaders(cibaClient.id, cibaClient.secret), ['a-request']);

/** `oidc-provider` has none. With one, most polls of a benchmark would be answered `slow_down`. */
async function withoutInterval(
  aws: LocalStack['file']['aws'],
  challengeIds: readonly string[],
): Promise<void> {
  await using(new DynamoDBClient(accessAs('OPERATOR', aws, 'dynamodb')), async (dynamodb) => {
    const client = DynamoDBDocumentClient.from(dynamodb);
    const updates = challengeIds.map((pk) => ({
      TableName: localTables.confirmations,
      Key: { pk },
      UpdateExpression: 'SET ciba.#interval = :none',
      ExpressionAttributeNames: { '#interval': 'interval' },
      ExpressionAttributeValues: { ':none': 0 },
    }));
    await Promise.all(updates.map(async (update) => await client.send(new UpdateCommand(update))));
  });
}
