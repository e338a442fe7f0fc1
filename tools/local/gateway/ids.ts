import { randomFillSync } from 'node:crypto';

const poolBytes = 4_096;
const pool = Buffer.alloc(poolBytes);
let used = poolBytes;

/** Random bytes for ids, not for secrets. Taken from a pool, because a system call for each id would be slow. */
function randomBytes(size: number): Buffer {
  if (used + size > poolBytes) {
    randomFillSync(pool);
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
}

/** Like API Gateway's: 16 characters, the last one an equals sign. */
export const newRequestId = (): string => `${randomBytes(11).toString('base64url')}=`;

export function newTraceId(): string {
  const seconds = Math.floor(Date.now() / 1_000).toString(16);
  return `Root=1-${seconds}-${randomBytes(12).toString('hex')}`;
}
