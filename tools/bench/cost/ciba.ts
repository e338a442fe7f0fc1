import { isTraced } from '../../../lambdas/registered.ts';
import { type Assumptions, withCallbacks } from './assumptions.ts';
import { callback } from './callback.ts';
import { confirmation, type Steps } from './confirmations.ts';
import { logBytes } from './log-lines.ts';
import { type Request, requests } from './round-trips.ts';
import { apiCall, invocation, sum, times, trips, type Usage } from './usage.ts';

/** Calls of OpenID Connect clients; `test/contract/round-trips/openid.ts` holds the service to them. */
const cibaRequests = {
  ask: {
    lambda: 'bc-authorize',
    trips: [{ operation: 'Query', items: ['client'] }, ...requests.send.trips],
  },
  poll: {
    lambda: 'oauth-token',
    trips: [
      { operation: 'Query', items: ['client'] },
      { operation: 'UpdateItem', items: ['confirmation, opened'] },
    ],
  },
  /** DynamoDB bills the first update, too, whose condition fails: it finds that the user has answered. */
  redeem: {
    lambda: 'oauth-token',
    trips: [
      { operation: 'Query', items: ['client'] },
      { operation: 'UpdateItem', items: ['confirmation, decided'] },
      { operation: 'UpdateItem', items: ['confirmation, decided'] },
    ],
  },
} as const satisfies Record<string, Request>;

type CibaRequest = keyof typeof cibaRequests;

/** What the model cannot read from the code. */
export const cibaAssumptions = {
  askMilliseconds: 50,
  pollMilliseconds: 14,
  redeemMilliseconds: 40,
  /** Bytes of the answers. The two tokens have the evidence, the device's key and the details. */
  askBytes: 600,
  pollBytes: 600,
  redeemBytes: 4_500,
} as const;

/** An ID token and an access token. */
const signatures = 2;

function answered(name: CibaRequest, assumed: Assumptions): Usage {
  const { lambda } = cibaRequests[name];
  const traced = isTraced(lambda) ? assumed.traced : 0;
  return sum([
    apiCall(cibaAssumptions[`${name}Bytes`], assumed),
    invocation(cibaAssumptions[`${name}Milliseconds`], { ...assumed, traced }),
    trips(cibaRequests[name], assumed),
  ]);
}

/** A user who is asked by CIBA, with a client's secret: as many polls as by the API, of which the last one gets the tokens. */
export function byCiba(assumed: Assumptions): Steps {
  const { fetch, answer, ...rest } = stepsInCommon(assumed);
  return {
    'ask (`/bc-authorize`)': sum([answered('ask', assumed), { logBytes: 2 * logBytes.metric }]),
    polls: times(Math.max(0, assumed.polls - 1), answered('poll', assumed)),
    ...{ 'fetch challenge': fetch, answer },
    'tokens (`/oauth/token`)': sum([answered('redeem', assumed), { logBytes: logBytes.metric }]),
    'two signatures of KMS': { kmsSignatures: signatures },
    ...rest,
  };
}

/** With a ping in place of the polls. Its token is encrypted when it arrives, and decrypted when it is sent. */
export const byPing = (assumed: Assumptions): Steps => ({
  ...byCiba({ ...assumed, polls: 1 }),
  ping: sum([callback({ ...assumed, ...withCallbacks }), { kmsRequests: 2 }]),
});

/** What each call with `private_key_jwt` costs more: the assertion's `jti` is written, so that it is used once. */
export const assertions = (assumed: Assumptions): Usage => ({ dynamoWrites: 1 + assumed.polls });

function stepsInCommon(assumed: Assumptions) {
  const all = confirmation({ ...assumed, callbacks: false });
  const { 'fetch challenge': fetch = {}, answer = {}, storage = {} } = all;
  return {
    ...{ fetch, answer },
    'expiry alarm': all['expiry alarm'] ?? {},
    'export of its events': all['export of its events'] ?? {},
    storage,
  };
}
