import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { TestStack } from '../../support/stack.ts';
import { expectGatewayAnswer } from '../expectations.ts';
import { newUser } from '../scenario.ts';
import { websiteCalls } from './calls.ts';

const scopeNames = websiteCalls().map(({ scope }) => scope);

export function scopes(stack: TestStack): void {
  test.each(scopeNames)('%s opens its endpoint and no other', async (scope) => {
    const website = stack.websiteWith(scope);
    for (const call of websiteCalls(stack.file.tenants[0].tenantId)) {
      const answer = await website.call(call, v.unknown());
      if (call.scope === scope) expect([200, 201, 202, 204, 404]).toContain(answer.status);
      else expectGatewayAnswer(answer, 403);
      // The gateway has no such member: a 404 of the endpoint itself is a problem document.
      if (call.scope === scope && !answer.ok) expect(answer.body.code).toMatch(/-not-found$/);
    }
  });

  test('answer 404 for an unknown path and for another method on a known path', async () => {
    const paths = ['/', '/omi', '/omi/unknown', `/omi/users/${newUser()}`];
    for (const path of paths)
      expectGatewayAnswer(await stack.website.call({ method: 'GET', path }, v.unknown()), 404);
    const wrongMethod = { method: 'PUT', path: '/omi/enrol/qr', json: { userId: newUser() } };
    expectGatewayAnswer(await stack.website.call(wrongMethod, v.unknown()), 404);
  });
}
