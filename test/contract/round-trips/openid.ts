import { beforeAll, expect, test } from '@jest/globals';
import { callsOf } from '../../../tools/bench/cost/round-trips.ts';
import { bodyOf } from '../../../client/http.ts';
import { accessKeyIdOf } from '../../../tools/local/lambda/runtime-environment.ts';
import { recording } from '../../support/recorded-calls.ts';
import type { TestStack } from '../../support/stack.ts';
import { ClientRegister, demoClient, type OAuthAnswer, type OAuthClient } from '../ciba/oauth-client.ts';
import { enrolDevice, openChallenge } from '../scenario.ts';

const lambdas = ['bc-authorize', 'oauth-token'] as const;
const callers = new Map<string, string>(lambdas.map((lambda) => [accessKeyIdOf(lambda), lambda]));

const budgets = { request: callsOf('cibaAsk'), poll: callsOf('cibaPoll'), redemption: callsOf('cibaRedeem') };

/** CIBA: what a request, a poll and a redemption cost. */
export function openIdRoundTrips(stack: TestStack): void {
  let pinged: OAuthClient;
  let client: OAuthClient;
  beforeAll(async () => {
    pinged = await new ClientRegister(stack).withKeys({ notificationUrl: 'https://client.example.org' });
    client = demoClient(stack);
  });

  const costOf = async (request: () => Promise<OAuthAnswer>) => {
    const { result, calls } = await recording(stack, request);
    const own = calls.flatMap(({ caller, operation }) => {
      const lambda = callers.get(caller);
      return lambda === undefined ? [] : [`${lambda}: ${operation}`];
    });
    return { result, own };
  };

  test('a request is two reads, one transaction and one publish', async () => {
    const phone = await enrolDevice(stack.website);
    const { own } = await costOf(async () => await client.authorize({ login_hint: phone.identity.userId }));
    expect(own).toEqual(budgets.request);
  });

  test('an assertion is one write more, and a ping one call to KMS more', async () => {
    const phone = await enrolDevice(stack.website);
    const parameters = {
      login_hint: phone.identity.userId,
      client_notification_token: 'a-token-of-a-client',
    };
    const { own } = await costOf(async () => await pinged.authorize(parameters));
    const [read, ...rest] = budgets.request;
    expect(own).toEqual([read, 'bc-authorize: PutItem', 'bc-authorize: Encrypt', ...rest]);
  });

  test('a poll is one read and one write, and a redemption one read, two writes and two signatures', async () => {
    const phone = await enrolDevice(stack.website);
    // Once before, so that the Lambda knows the id of its key.
    const first = await client.start(phone.identity.userId);
    bodyOf(await phone.confirm(await openChallenge(phone)));
    expect((await client.poll(first.auth_req_id)).status).toBe(200);

    const { auth_req_id: id } = await client.start(phone.identity.userId);
    expect((await costOf(async () => await client.poll(id))).own).toEqual(budgets.poll);
    bodyOf(await phone.confirm(await openChallenge(phone)));
    const { result, own } = await costOf(async () => await client.poll(id));
    expect(result.status).toBe(200);
    expect(own).toEqual(budgets.redemption);
  });
}
