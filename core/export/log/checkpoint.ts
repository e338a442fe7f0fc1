import { createHash } from 'node:crypto';
import type { TargetRef } from '../../events/target-ref.ts';

/** The state of a log at one size, as C2SP's `tlog-checkpoint` has it. */
export type Checkpoint = { origin: string; size: number; root: Uint8Array };

/** Signs a digest. The signature is in DER. */
export type LogKey = { signDer: (digest: Uint8Array) => Promise<Uint8Array> };

/** A key, and the first four bytes of the SHA-256 of its public half in hexadecimal, by which notes name it. */
export type NamedLogKey = { kid: string; key: LogKey };

/**
 * The name of a log, and of its key in notes.
 *
 * @param generation counts the restores of the log's table, which begin a new log
 */
export const originOf = (baseUrl: string, { tenantId, category }: TargetRef, generation: number): string =>
  `${new URL(baseUrl).host}/${tenantId}/${category}${generation === 1 ? '' : `/${generation}`}`;

/** The text that is signed (https://c2sp.org/tlog-checkpoint). */
export const checkpointBody = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;

/** A signed note (https://c2sp.org/signed-note) with one signature: ECDSA on P-256 with SHA-256. One call of KMS. */
export async function signedCheckpoint(checkpoint: Checkpoint, { kid, key }: NamedLogKey): Promise<string> {
  const body = checkpointBody(checkpoint);
  const signature = await key.signDer(createHash('sha256').update(body).digest());
  const line = Buffer.concat([Buffer.from(kid, 'hex'), signature]).toString('base64');
  return `${body}\n— ${checkpoint.origin} ${line}\n`;
}
