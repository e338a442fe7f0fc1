import { type AsymmetricKeyDetails, createHash, createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { publicJwk, type PublicJwk } from '../../core/access/public-jwk.ts';
import { UsageError } from '../command-error.ts';

/** So that a client's item stays small. */
const mostKeys = 10;
const rsaBits = { from: 2048, to: 4096 };
/** RFC 7518, section 6: members of private and symmetric keys. */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

const keySet = v.object({
  keys: v.pipe(v.array(v.record(v.string(), v.unknown())), v.minLength(1), v.maxLength(mostKeys)),
});

/**
 * The public keys of a client, from a file with a JWK Set (RFC 7517).
 *
 * @throws {UsageError}
 */
export async function readJwks(file: string): Promise<PublicJwk[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${code ?? String(cause)}.`,
    );
  });
  return parseJwks(text, file);
}

export function parseJwks(text: string, file: string): PublicJwk[] {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), keySet), text);
  if (!result.success)
    throw new UsageError(
      `${file} is not a JWK Set. Expected JSON with 1 to ${mostKeys} public keys: {"keys":[{"kty":"EC","crv":"P-256","x":…,"y":…}]}`,
    );
  const keys = result.output.keys.map((key, index) => parseKey(key, `Key ${index + 1} in ${file}`));
  const kids = keys.flatMap(({ kid }) => kid ?? []);
  if (new Set(kids).size < kids.length) throw new UsageError(`Two keys in ${file} have the same "kid".`);
  return keys;
}

type Jwk = Record<string, unknown>;

function parseKey(jwk: Jwk, which: string): PublicJwk {
  if (secretMembers.some((name) => name in jwk))
    throw new UsageError(
      `${which} contains a private key. Register only the public one. If the file has left the client's server, replace the key.`,
    );
  const { use = 'sig', key_ops: operations = ['verify'] } = jwk;
  if (use !== 'sig' || !Array.isArray(operations) || !operations.includes('verify'))
    throw new UsageError(`${which} is not for signatures ("use" or "key_ops").`);
  const { kty, crv, x, y, n, e, kid, alg = kty === 'RSA' ? 'RS256' : 'ES256' } = jwk;
  const members = Object.entries({ kty, crv, x, y, n, e, kid, alg }).filter(
    ([, value]) => value !== undefined,
  );
  const result = v.safeParse(publicJwk, Object.fromEntries(members));
  if (!result.success)
    throw new UsageError(`${which} is not supported: expected EC with P-256 and ES256, or RSA with RS256.`);
  checkKey(result.output, which);
  return result.output;
}

/** Node.js rejects points that are not on the curve. */
function checkKey(key: PublicJwk, which: string): void {
  const { modulusLength, publicExponent = 3n } = detailsOf(key, which);
  if (modulusLength !== undefined && (modulusLength < rsaBits.from || modulusLength > rsaBits.to))
    throw new UsageError(`${which} has ${modulusLength} bits. Expected ${rsaBits.from} to ${rsaBits.to}.`);
  // With an exponent of 1, every text is its own signature.
  if (publicExponent < 3n || publicExponent % 2n === 0n)
    throw new UsageError(`${which} has the exponent ${publicExponent}, which is not secure.`);
}

function detailsOf({ alg, kid, ...key }: PublicJwk, which: string): AsymmetricKeyDetails {
  try {
    return createPublicKey({ key, format: 'jwk' }).asymmetricKeyDetails ?? {};
  } catch (cause) {
    throw new UsageError(`${which} (${kid ?? alg}) is not a valid public key.`, { cause });
  }
}

/** The thumbprint of a key (RFC 7638): its required members in this order. */
export function thumbprintOf(key: PublicJwk): string {
  const required =
    key.kty === 'EC'
      ? { crv: key.crv, kty: key.kty, x: key.x, y: key.y }
      : { e: key.e, kty: key.kty, n: key.n };
  return createHash('sha256').update(JSON.stringify(required)).digest('base64url');
}
