import { NotPublic } from '../../../outbound/public-lookup.ts';
import { pauseOf } from '../../../outbound/retry-after.ts';
import type { OutboundAnswer } from '../../../outbound/post.ts';
import { hours, rfc3339 } from '../../../kernel/time.ts';
import { slowCodes, type Fault } from '../../targets/target.ts';
import { nameOf } from '../../delivery/delivery-faults.ts';

const prefix = 'Webhook.';

/** A secret of the webhook could not be opened; `cause` says why. */
export class SecretUnavailable extends Error {
  override readonly name = 'SecretUnavailable';
}

const faultOf =
  (actor: Fault['actor']) =>
  (code: string, reason: string): Fault => ({ actor, code: `${prefix}${code}`, reason });

const ofTenant = faultOf('tenant');
const ofOperator = faultOf('operator');
const passing = faultOf('nobody');

/** It passes by itself, or the receiver has to be mended. */
const ofReceiver = (code: string, reason: string): Fault => ({
  ...passing(code, reason),
  lastingActor: 'tenant',
});

/** No receiver may hold back its events for longer. */
const longestDemandMs = 24 * hours;

/** Statuses that say that the receiver may accept the same call later: RFC 9110, RFC 8470 and RFC 6585. */
const isTemporary = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);

const isRedirect = (status: number): boolean => status >= 300 && status <= 399;

const mustVerify =
  'The tenant must check that the receiver verifies signatures with the secret of this webhook';

const refusals: Readonly<Record<number, string>> = {
  400: `${mustVerify}.`,
  401: `${mustVerify}, and requires no other credentials.`,
  403: `${mustVerify}, and that no firewall blocks the calls.`,
  404: 'The tenant must start the receiver at this URL, or tell the operator where it is.',
  405: 'The receiver at this URL does not accept POST. The tenant must tell the operator the right URL.',
  410: 'The receiver has declined all further calls. The tenant must start it again, tell the operator where it is, or have the export ended.',
  413: 'The tenant must let the receiver accept bodies of 256 KB and, for a larger single event, up to 1 MB.',
};

/**
 * What an answer of a receiver says of its webhook.
 *
 * @returns nothing for an answer that takes the events
 */
export function webhookFaultOf({ status, retryAfter }: OutboundAnswer, now: number): Fault | undefined {
  if (status >= 200 && status <= 299) return undefined;
  const [code, answer] = [`Http${status}`, `The receiver answers with HTTP ${status}.`];
  if (isTemporary(status))
    return temporaryFault(code, answer, Math.min(longestDemandMs, pauseOf(retryAfter, now)), now);
  if (isRedirect(status))
    return ofTenant(
      code,
      `${answer} Redirects are not followed. The tenant must tell the operator the URL of the receiver itself.`,
    );
  return ofTenant(
    code,
    `${answer} ${refusals[status] ?? "The tenant must find out why, for example in the receiver's log."}`,
  );
}

const sentAgain =
  'The events are sent again, less often each time. If this lasts, the tenant must find out why.';

/** The fault of a receiver for whose recovery nobody waits. */
export const asLasting = (fault: Fault): Fault => ({
  ...fault,
  actor: fault.lastingActor ?? fault.actor,
  reason: fault.reason.replace(sentAgain, 'The tenant must find out why.'),
});

/** @param demanded milliseconds that the receiver wants not to be called */
function temporaryFault(code: string, answer: string, demanded: number, now: number): Fault {
  const fault = ofReceiver(code, `${answer} ${sentAgain}`);
  if (demanded === 0) return fault;
  const notBefore = now + demanded;
  return {
    ...fault,
    reason: `${fault.reason} It asked for no call before ${rfc3339(notBefore)}.`,
    notBefore,
  };
}

/** The fault of a receiver that lets calls wait. */
export const lateReceiver: Fault = {
  actor: 'nobody',
  code: slowCodes.outOfTime,
  reason: `The receiver did not answer in time. ${sentAgain}`,
  lastingActor: 'tenant',
};

/** Of several addresses that failed, Node.js tells the code of the first one in an AggregateError. */
const codeOf = (error: unknown): string => (error as { code?: string } | undefined)?.code ?? '';

const isLate = (error: unknown): boolean => codeOf(error) === 'ABORT_ERR';

/** Of OpenSSL and Node.js (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const ofCertificate =
  /^(?:CERT_|CRL_|CA_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_|HOSTNAME_MISMATCH|PATH_LENGTH_|ERR_TLS_|ERR_SSL_|EPROTO)/;

const connectionFaults: Readonly<Record<string, string>> = {
  ENOTFOUND:
    "The name of the webhook's host does not exist. The tenant must correct its DNS, or tell the operator the right URL.",
  ECONNREFUSED: 'The receiver accepts no connection. The tenant must start it.',
  EHOSTUNREACH: "The receiver's host cannot be reached. The tenant must find out why.",
  ENETUNREACH: "The receiver's network cannot be reached. The tenant must find out why.",
};

/** KMS's errors that do not pass. */
const ofSecret = new Set([
  'AccessDeniedException',
  'DisabledException',
  'InvalidCiphertextException',
  'IncorrectKeyException',
  'KMSInvalidStateException',
  'NotFoundException',
]);

/** Why a call got no answer. Never with the error's message, which may quote the URL. */
export function explainWebhookError(error: unknown): Fault {
  if (error instanceof SecretUnavailable) return secretFault(error);
  if (error instanceof NotPublic)
    return ofTenant(
      'NotPublic',
      "The webhook's host is not on the public internet. The tenant must tell the operator a URL whose addresses are all public.",
    );
  if (isLate(error)) return lateReceiver;
  const code = codeOf(error);
  const known = connectionFaults[code];
  if (known !== undefined) return ofTenant(code, known);
  if (ofCertificate.test(code))
    return ofTenant(
      code,
      `The receiver's certificate is not valid (${code}). The tenant must install one of a public authority for this host, with its chain.`,
    );
  const named = /^[A-Z0-9_]{1,64}$/.test(code) ? ` (${code})` : '';
  return ofReceiver(
    'NoAnswer',
    `The connection to the receiver ended without an answer${named}. ${sentAgain}`,
  );
}

function secretFault({ cause }: SecretUnavailable): Fault {
  if (cause === undefined)
    return ofOperator(
      'NoSecret',
      'The webhook has no secret. The operator must make one with "omi target rotate", and give it to the tenant.',
    );
  const name = nameOf(cause);
  if (ofSecret.has(name))
    return ofOperator(
      name,
      'The service cannot open the webhook\'s secret. The operator must check the stack\'s key for secrets, or make a new secret with "omi target rotate".',
    );
  return passing(name, 'KMS is throttled or unavailable. Nobody needs to act: the events are sent again.');
}
