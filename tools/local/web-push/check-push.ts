import { errors, importJWK, jwtVerify } from 'jose';

/** A push as it arrived. */
export type ReceivedPush = { headers: Record<string, string>; body: Buffer };

/** Why the push service refuses a push, as real ones do. */
export type PushRefusal = { status: 400 | 401 | 403 | 413; message: string };

const largestBody = 4096;
const longestToken = 24 * 60 * 60;

function refusalOfForm({ headers, body }: ReceivedPush): PushRefusal | undefined {
  if (!/^\d+$/.test(headers['ttl'] ?? ''))
    return { status: 400, message: 'TTL is required (RFC 8030, 5.2).' };
  if (!/^(very-low|low|normal|high)?$/.test(headers['urgency'] ?? ''))
    return { status: 400, message: 'Urgency is not valid (RFC 8030, 5.3).' };
  if (!/^[\w-]{0,32}$/.test(headers['topic'] ?? ''))
    return { status: 400, message: 'Topic is not valid (RFC 8030, 5.4).' };
  if (body.length > largestBody)
    return { status: 413, message: `The body has more than ${largestBody} bytes.` };
  if (body.length === 0) return undefined;
  if (headers['content-encoding'] !== 'aes128gcm')
    return { status: 400, message: 'Content-Encoding must be aes128gcm (RFC 8291, 4).' };
  // Salt, record size, length of the key id, key id, and at least a delimiter with its tag (RFC 8188, 2.1).
  if (body.length < 21 + 65 + 17 || body[20] !== 65 || body[21] !== 4)
    return { status: 400, message: 'The body is not encrypted as in RFC 8291.' };
  return undefined;
}

async function isSigned(token: string, key: string, audience: string): Promise<boolean> {
  const point = Buffer.from(key, 'base64url');
  if (point.length !== 65 || point[0] !== 4) return false;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  try {
    const publicKey = await importJWK({ kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, 'ES256');
    const { payload } = await jwtVerify(token, publicKey, { audience, algorithms: ['ES256'] });
    const { exp = Infinity, sub = '' } = payload;
    return exp <= Date.now() / 1000 + longestToken && /^(mailto:|https:)./.test(sub);
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException)
      return false;
    throw error;
  }
}

/** @param boundTo the key that the subscription was made with */
async function refusalOfSender(
  { headers }: ReceivedPush,
  audience: string,
  boundTo: string | undefined,
): Promise<PushRefusal | undefined> {
  const [, token, key] = /^vapid t=([^,\s]+), *k=([\w-]+)$/.exec(headers['authorization'] ?? '') ?? [];
  if (token === undefined || key === undefined)
    return { status: 401, message: 'Authorization must be: vapid t=<JWT>, k=<public key> (RFC 8292, 3).' };
  if (boundTo !== undefined && boundTo !== key)
    return { status: 403, message: 'The subscription belongs to another key.' };
  if (await isSigned(token, key, audience)) return undefined;
  return { status: 403, message: 'The VAPID token is not valid: see aud, exp, sub and the signature.' };
}

/** Checks a push as the push services of browsers do. */
export const refusalOf = async (
  push: ReceivedPush,
  audience: string,
  boundTo: string | undefined,
): Promise<PushRefusal | undefined> =>
  refusalOfForm(push) ?? (await refusalOfSender(push, audience, boundTo));
