import { EvidenceError, type ReceiptFault } from './evidence-error.ts';
import { isObject, isSigned, readJws } from './jws.ts';
import type { Receipt, Trust } from './types.ts';

/** Seconds by which clocks of the service may differ. */
const toleranceSeconds = 5 * 60;

const reasons: readonly unknown[] = ['first', 'free', 'confirmation', 'recovery'] satisfies Receipt['by'][];

export type Enrolled = Pick<Receipt, 'tid' | 'sub' | 'deviceId' | 'jkt'>;

/**
 * Verifies that the service received this key from this device when the user enrolled it.
 *
 * @throws {EvidenceError}
 */
export async function checkReceipt(
  receipt: string,
  enrolled: Enrolled,
  { keys, baseUrl, formerBaseUrls = [], testUsers = false }: Trust,
): Promise<Receipt> {
  const { header, claims, input, signature } = readJws(receipt, 'receipt');
  const { alg, typ, kid, ...others } = header;
  const isReceipt = alg === 'ES256' && typ === 'omi-receipt+jwt' && typeof kid === 'string';
  if (!isReceipt || Object.keys(others).length > 0) throw new EvidenceError('receipt');
  const key =
    typeof keys === 'function'
      ? await keys(kid)
      : keys.keys.find((one) => one.kid === kid && one.for === 'receipt');
  if (key?.for !== 'receipt' || key.kid !== kid) throw new EvidenceError('receipt-key');
  if (!isInUse(key, claims['iat'])) throw new EvidenceError('receipt-time');
  if (!(await isSigned(key, signature, input))) throw new EvidenceError('receipt-signature');
  if (![baseUrl, ...formerBaseUrls].some((url) => url === claims['iss']))
    throw new EvidenceError('receipt-iss');
  for (const [name, value] of Object.entries(enrolled))
    if (claims[name] !== value) throw new EvidenceError(`receipt-${name}` as ReceiptFault);
  if (![...reasons, testUsers && 'test'].includes(claims['by'])) throw new EvidenceError('receipt-by');
  const { passkey } = claims;
  if (passkey !== undefined && !isObject(passkey)) throw new EvidenceError('receipt');
  return claims as Receipt;
}

/** Numbers that are none fail each comparison. */
function isInUse({ from, until }: { from: string; until?: string | undefined }, iat: unknown): boolean {
  const time = typeof iat === 'number' ? iat : NaN;
  const ends = until === undefined ? Infinity : Date.parse(until) / 1000;
  return Date.parse(from) / 1000 - toleranceSeconds <= time && time <= ends + toleranceSeconds;
}
