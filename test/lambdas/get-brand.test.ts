import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { expect, test } from '@jest/globals';
import type { ApiEvent } from '../../core/http/api-event.ts';
import type { HttpResponse } from '../../core/http/responses.ts';
import { tenantKeys } from '../../core/tenants/tenant-keys.ts';
import { testDatabase } from '../support/dynamodb.ts';
import { expectSchema } from '../support/openapi.ts';

test("the answer says how the stage's app presents itself, beside the tenant's own brand", async () => {
  const tenantId = '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01';
  const client = await testDatabase({ tenants: 'tenants' });
  const Item = { ...tenantKeys.profile(tenantId), tenantId, name: 'Bank' };
  await client.send(new PutCommand({ TableName: 'tenants', Item }));
  const app = { name: 'Example Confirm', color: '#0a4d9c' };
  Object.assign(process.env, { TENANTS_TABLE: 'tenants', BASE_URL: 'https://omi.example' });
  Object.assign(process.env, { APP_NAME: app.name, APP_COLOR: app.color });
  const { handler } = await import('../../lambdas/get-brand/index.ts');

  const requestContext = { requestId: 'r', http: { method: 'GET', sourceIp: '192.0.2.1' } };
  const event = { headers: {}, pathParameters: { tenantId }, requestContext } as unknown as ApiEvent;
  const context = { getRemainingTimeInMillis: () => 5_000 } as Context;
  const answer = (await (handler as (event: ApiEvent, context: Context) => Promise<HttpResponse>)(
    event,
    context,
  )) as { body: string };
  const body: unknown = JSON.parse(answer.body);
  expect(body).toEqual({ name: 'Bank', app });
  expectSchema('Brand', body);
});
