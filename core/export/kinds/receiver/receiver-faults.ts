/** What is wrong with a receiver that a tenant has chosen, for the kinds that call one. */
import { NotPublic } from '../../../outbound/public-lookup.ts';
import { pauseOf } from '../../../outbound/retry-after.ts';
import type { OutboundAnswer } from '../../../outbound/post.ts';
import { hours, rfc3339 } from '../../../kernel/time.ts';
import { slowCodes, type Fault } from '../../targets/target.ts';
import { nameOf, otherFault } from '../../delivery/delivery-faults.ts';

/** What a kind says in its own words. */
export type ReceiverWords = {
  /** Codes of its faults begin with it. */
  prefix: string;
  /** What names the host, in the genitive: `the webhook's`. */
  whose: string;
  /** How the tenant gives another URL. */
  correct: string;
  /** What the tenant must do, by status. */
  refusals: Readonly<Record<number, string>>;
};

export type FaultOf = (code: string, reason: string) => Fault;

/** No receiver may hold back its events for longer. */
const longestDemandMs = 24 * hours;

/** Statuses that say that the receiver may accept the same call later: RFC 9110, RFC 8470 and RFC 6585. */
const isTemporary = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);

const isRedirect = (status: number): boolean => status >= 300 && status <= 399;

const sentAgain =
  'The events are sent again, less often each time. If this lasts, the tenant must find out why.';

/** The fault of a receiver for whose recovery nobody waits. */
export const asLasting = (fault: Fault): Fault => ({
  ...fault,
  actor: 'tenant',
  reason: fault.reason.replace(sentAgain, 'The tenant must find out why.'),
});

/** The fault of a receiver that lets calls wait. */
export const lateReceiver: Fault = {
  actor: 'nobody',
  code: slowCodes.outOfTime,
  reason: `The receiver did not answer in time. ${sentAgain}`,
  lastingActor: 'tenant',
};

/** If several addresses failed, Node.js throws an AggregateError with the code of the first. */
const codeOf = (error: unknown): string => (error as { code?: string } | undefined)?.code ?? '';

const isLate = (error: unknown): boolean => codeOf(error) === 'ABORT_ERR';

/** The codes of OpenSSL and Node.js (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const ofCertificate =
  /^(?:CERT_|CRL_|CA_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_|HOSTNAME_MISMATCH|PATH_LENGTH_|ERR_TLS_|ERR_SSL_|EPROTO)/;

const connectionFaults: Readonly<Record<string, (words: ReceiverWords) => string>> = {
  ENOTFOUND: ({ whose, correct }) =>
    `The name of ${whose} host does not exist. The tenant must correct its DNS, or ${correct} the right URL.`,
  ECONNREFUSED: () => 'The receiver accepts no connection. The tenant must start it.',
  EHOSTUNREACH: () => "The receiver's host cannot be reached. The tenant must find out why.",
  ENETUNREACH: () => "The receiver's network cannot be reached. The tenant must find out why.",
};

/** KMS's errors that do not pass. */
const ofKey = new Set([
  'AccessDeniedException',
  'DisabledException',
  'InvalidCiphertextException',
  'IncorrectKeyException',
  'KMSInvalidStateException',
  'NotFoundException',
]);

/** True for an error of KMS that the operator must remove. */
export const isKeyFault = (error: unknown): boolean => ofKey.has(nameOf(error));

export function receiverFaults(words: ReceiverWords) {
  const { prefix, whose, correct, refusals } = words;
  const faultOf =
    (actor: Fault['actor']): FaultOf =>
    (code, reason) => ({ actor, code: `${prefix}${code}`, reason });
  const ofTenant = faultOf('tenant');

  /** It passes by itself, or the receiver has to be mended. */
  const ofReceiver: FaultOf = (code, reason) => ({
    ...faultOf('nobody')(code, reason),
    lastingActor: 'tenant',
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

  return {
    ofOperator: faultOf('operator'),

    /** A part of the service itself failed. */
    ofService: (code: string, passing: string): Fault => ({
      ...otherFault(code, passing),
      code: `${prefix}${code}`,
    }),

    /**
     * What an answer says.
     *
     * @returns nothing for an answer that takes the events
     */
    ofAnswer: ({ status, retryAfter }: OutboundAnswer, now: number): Fault | undefined => {
      if (status >= 200 && status <= 299) return undefined;
      const [code, answer] = [`Http${status}`, `The receiver answers with HTTP ${status}.`];
      if (isTemporary(status))
        return temporaryFault(code, answer, Math.min(longestDemandMs, pauseOf(retryAfter, now)), now);
      const action = isRedirect(status)
        ? `Redirects are not followed. The tenant must ${correct} the URL of the receiver itself.`
        : (refusals[status] ?? "The tenant must find out why, for example in the receiver's log.");
      return ofTenant(code, `${answer} ${action}`);
    },

    /** Why a call got no answer. Never with the error's message, which may quote the URL. */
    ofError: (error: unknown): Fault => {
      if (error instanceof NotPublic)
        return ofTenant(
          'NotPublic',
          `${whose[0]?.toUpperCase()}${whose.slice(1)} host is not on the public internet. The tenant must ${correct} a URL whose addresses are all public.`,
        );
      if (isLate(error)) return lateReceiver;
      const code = codeOf(error);
      const known = connectionFaults[code];
      if (known !== undefined) return ofTenant(code, known(words));
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
    },
  };
}
