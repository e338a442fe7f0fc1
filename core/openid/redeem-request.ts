import { randomUUID } from 'node:crypto';
import type { Item } from '../aws/dynamodb-client.ts';
import {
  type Confirmation,
  type CibaState,
  redeemableUntil,
  retainedUntil,
} from '../confirmations/confirmation.ts';
import { expireIfDue, type ExpiryDeps } from '../confirmations/expire-if-due.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import { challengeIdOf } from '../kernel/identifiers.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import { seconds } from '../kernel/time.ts';
import type { BackchannelStore, Poll } from './backchannel-store.ts';
import { OAuthError } from './oauth-error.ts';
import type { ClientContext } from './start-authentication.ts';
import { issueTokens, type TokenDeps, type TokenResponse } from './tokens.ts';

export type RedeemDeps = ExpiryDeps & TokenDeps & { requests: BackchannelStore };

const invalidGrant = () =>
  new OAuthError('invalid_grant', 'The auth_req_id is unknown, belongs to another client, or was redeemed.');
const expired = () => new OAuthError('expired_token', 'The auth_req_id has expired.');

/**
 * Answers a token request: the tokens, once, or why there are none (CIBA Core 1.0, sections 10 and 11).
 *
 * @param request.jkt thumbprint of the key to which the access token is bound, if the client proved that it has one
 * @throws {OAuthError}
 */
export async function redeemRequest(
  deps: RedeemDeps,
  { authReqId, jkt }: { authReqId: string; jkt?: string | undefined },
  context: ClientContext,
): Promise<TokenResponse> {
  const { client, now } = context;
  const poll = { challengeId: challengeIdOf(client.tenantId, authReqId), clientId: client.clientId, now };
  const confirmation = await retryOnConflict(async () => await decided(deps, poll, context));
  const tokens = await issueTokens(deps, { confirmation, client, authReqId, jkt, now });
  // After the signatures, so that a fault of KMS does not cost the client its tokens.
  const attempt = randomUUID();
  if (await retryOnConflict(async () => await deps.requests.redeem(poll, attempt))) return tokens;
  throw invalidGrant();
}

/** The request, if the user confirmed it. */
async function decided(deps: RedeemDeps, poll: Poll, context: ClientContext): Promise<Confirmation> {
  const polled = await deps.requests.poll(poll);
  if (!('item' in polled)) throw pending(polled.interval);
  const found = requestOf(deps, polled.item, poll);
  if (context.now >= redeemableUntil(found)) throw expired();
  const { status, ...request } = await expireIfDue(deps, found, context);
  if (status === 'confirmed') return { status, ...request };
  if (status === 'pending') throw await slowDown(deps, poll);
  if (status === 'expired') throw expired();
  throw new OAuthError('access_denied', `The request was not confirmed: it is ${status}.`);
}

/** Foreign and redeemed requests are refused first, so that they tell nothing of the others. */
function requestOf(
  { confirmations }: RedeemDeps,
  item: Item,
  { clientId, now }: Poll,
): Confirmation & { ciba: CibaState } {
  // Nothing, or a confirmation of a website.
  if (item['ciba'] === undefined) throw invalidGrant();
  const { ciba, ...request } = confirmations.parse(item);
  const isRedeemable =
    ciba && request.clientId === clientId && ciba.redeemedBy === undefined && retainedUntil(request) > now;
  if (isRedeemable) return { ...request, ciba };
  throw invalidGrant();
}

const pending = (interval: number): OAuthError =>
  new OAuthError('authorization_pending', 'The user has not answered yet.', {
    retryAfter: interval / seconds,
  });

async function slowDown({ requests }: RedeemDeps, poll: Poll): Promise<OAuthError> {
  const slowed = await requests.slowDown(poll);
  if ('item' in slowed) throw new ConflictError('decided meanwhile');
  const wait = slowed.interval / seconds;
  return new OAuthError('slow_down', `Wait ${wait} seconds between polls.`, { retryAfter: wait });
}
