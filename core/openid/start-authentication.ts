import { randomBytes } from 'node:crypto';
import type { RegisteredClient } from '../access/registered-client.ts';
import type { SecretBox } from '../aws/secret-box-client.ts';
import { pingContext } from '../callbacks/receiver.ts';
import type { CibaState } from '../confirmations/confirmation.ts';
import { sendConfirmation, type SendDeps, type SendRequest } from '../confirmations/send-confirmation.ts';
import type { RequestContext } from '../events/event.ts';
import { challengeIdOf } from '../kernel/identifiers.ts';
import { Refusal, type RefusalCode } from '../kernel/refusal.ts';
import { seconds } from '../kernel/time.ts';
import { lifetimes } from '../tenants/tenant.ts';
import type { BackchannelRequest } from './backchannel-request.ts';
import { invalidRequest, OAuthError, type OAuthErrorCode } from './oauth-error.ts';

export type StartDeps = SendDeps & { secrets: SecretBox };
export type ClientContext = RequestContext & { client: RegisteredClient };

/** Authentication request acknowledgement (CIBA Core 1.0, section 7.3), with the number for the client's screen. */
export type Started = { auth_req_id: string; expires_in: number; interval: number; match_code?: string };

const pollIntervalMs = 2 * seconds;
const usualLifetimeSeconds = 120;

/** Shown and signed if neither the client nor its tenant has a text. */
const unspecific = 'Do you confirm this request?';

/**
 * Asks a user on behalf of an OpenID Connect client. The `auth_req_id` is the nonce of the confirmation; only its hash is
 * kept.
 *
 * @throws {OAuthError}
 */
export async function startAuthentication(
  deps: StartDeps,
  request: BackchannelRequest,
  context: ClientContext,
): Promise<Started> {
  const { client } = context;
  const { notificationToken } = request;
  if (notificationToken !== undefined && client.notificationUrl === undefined)
    throw invalidRequest('Expected no client_notification_token: the client has no notification URL.');
  if (!request.login) throw unknownUser();
  const authReqId = randomBytes(32).toString('base64url');
  const asked: SendRequest = {
    ...request.login,
    ofSeveral: 'usual',
    message: request.bindingMessage ?? client.settings.genericPushText ?? unspecific,
    ...(request.details && { details: request.details.text }),
    requestedFrom: request.requestedFrom,
    nonce: authReqId,
    expiresIn: lifetimeOf(request, client),
    ciba: { scope: request.scope, interval: pollIntervalMs } satisfies CibaState,
    ...(notificationToken !== undefined && {
      ping: await seal(deps, authReqId, notificationToken, client),
    }),
  };
  const { confirmation } = await send(deps, asked, context);
  const matchCode = confirmation.matchNumbers?.code;
  return {
    auth_req_id: authReqId,
    expires_in: confirmation.expiresIn,
    interval: pollIntervalMs / seconds,
    ...(matchCode !== undefined && { match_code: matchCode }),
  };
}

const lifetimeOf = ({ requestedExpiry }: BackchannelRequest, { settings }: RegisteredClient): number =>
  Math.min(Math.max(requestedExpiry ?? usualLifetimeSeconds, lifetimes.shortest), settings.longestLifetime);

/** Kept until the client is pinged. Without KMS nobody can read it, and with KMS only for this confirmation. */
const seal = async (
  { secrets }: StartDeps,
  authReqId: string,
  token: string,
  { tenantId }: RegisteredClient,
): Promise<string> =>
  await secrets.seal(JSON.stringify({ authReqId, token }), pingContext(challengeIdOf(tenantId, authReqId)));

const unknownUser = () => new OAuthError('unknown_user_id', 'The user is unknown, or has no such device.');

/** Both end by themselves. */
const temporary = { status: 429 };

const codes: Partial<Record<RefusalCode, { code: OAuthErrorCode; status?: number }>> = {
  'device-not-found': { code: 'unknown_user_id' },
  'user-suspended': { code: 'access_denied', status: 403 },
  'too-many-notifications': { code: 'temporarily_unavailable', ...temporary },
  'confirmation-pending': { code: 'temporarily_unavailable', ...temporary },
};

async function send(deps: StartDeps, request: SendRequest, { client, ...context }: ClientContext) {
  try {
    return await sendConfirmation(deps, request, { ...context, caller: client });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, status } = codes[error.code] ?? {};
    if (!code) throw error;
    throw new OAuthError(code, error.message, { status, retryAfter: error.options.retryAfter });
  }
}
