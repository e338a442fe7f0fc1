import { digestOf } from './bytes.ts';
import { EvidenceError } from './evidence-error.ts';
import { isObject, isSigned, type Members, readJws } from './jws.ts';
import { prove } from './prove.ts';
import type { Evident, KnownContext, OmiKeys, Trust } from './types.ts';

/** What an OpenID Connect client asked by CIBA, from its own records. */
export type AskedByCiba = KnownContext & {
  clientId: string;
  /** `auth_req_id`, which is the nonce of the evidence. */
  authReqId: string;
  /** The `binding_message`. */
  message: string;
  /** The text of `authorization_details` exactly as it was sent: the hash is over this text. */
  details?: string | undefined;
  /** Thumbprints of the user's keys, as kept since their enrolments. If absent, the service's receipt is enough. */
  knownKeys?: readonly string[] | undefined;
  /** In milliseconds since 1970. */
  now?: number | undefined;
};

/** The claims of an ID token of OpenID Connect Core, and those of the service. */
export type IdToken = {
  iss: string;
  sub: string;
  aud: string;
  iat: number;
  exp: number;
  auth_time: number;
  tid: string;
  [claim: string]: unknown;
};

const toleranceSeconds = 60;
/** With 4 KB of details in the token and in the evidence. */
const largestCharacters = 32 * 1024;

/**
 * Verifies without the service that it issued this ID token for this request of this client, and that the evidence in it proves what
 * the user's device signed.
 *
 * @throws {EvidenceError} `id-token`, or the check of the evidence that failed as its `code`
 */
export async function verifyIdToken(
  idToken: string,
  {
    clientId,
    authReqId,
    message,
    details,
    now = Date.now(),
    ...trust
  }: AskedByCiba & Trust & { keys: OmiKeys },
): Promise<IdToken> {
  const claims = await claimsOf(idToken, trust.keys);
  const { baseUrl, formerBaseUrls = [] } = trust;
  const [seconds, issuedAt, expiresAt] = [now / 1_000, Number(claims['iat']), Number(claims['exp'])];
  const isExpected =
    [baseUrl, ...formerBaseUrls].some((url) => url === claims['iss']) &&
    claims['aud'] === clientId &&
    claims['urn:openid:params:jwt:claim:auth_req_id'] === authReqId &&
    issuedAt - toleranceSeconds <= seconds &&
    seconds < expiresAt + toleranceSeconds;
  if (!isExpected) throw new EvidenceError('id-token');
  await prove(evidenceIn(claims), {
    ...trust,
    claims: {
      challengeId: await digestOf(`${String(claims['tid'])}\n${authReqId}`),
      messageHash: await digestOf(message),
      detailsHash: details === undefined ? undefined : await digestOf(details),
    },
  });
  return claims as IdToken;
}

async function claimsOf(idToken: string, { keys }: OmiKeys): Promise<Members> {
  const { header, claims, input, signature } = readJws(idToken, 'id-token', largestCharacters);
  const { alg, typ = 'JWT', kid } = header;
  const key = keys.find((one) => one.kid === kid && one.for === 'token');
  const isToken = alg === 'ES256' && typ === 'JWT' && key !== undefined;
  if (!isToken || !(await isSigned(key, signature, input))) throw new EvidenceError('id-token');
  return claims;
}

/** Its members have the types of a confirmation, or the checks refuse them. */
function evidenceIn({ omi_evidence: evidence, sub, tid, amr, ...claims }: Members): Evident {
  if (typeof evidence !== 'string') throw new EvidenceError('missing');
  return {
    status: 'confirmed',
    tenantId: tid,
    userId: sub,
    deviceId: readJws(evidence, 'malformed').header['kid'],
    evidence,
    context: textOf(claims['omi_context']),
    receipt: textOf(claims['omi_receipt']),
    deviceKey: keyOf(claims['omi_device_key']),
    passkeyKey: keyOf(claims['omi_passkey_key']),
    userVerified: Array.isArray(amr) && amr.includes('user'),
  } as Evident;
}

const textOf = (value: unknown): unknown => (typeof value === 'string' ? value : undefined);
const keyOf = (value: unknown): unknown => (isObject(value) ? value : undefined);
