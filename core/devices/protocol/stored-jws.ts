/** The parts of a compact JWS as DynamoDB stores them, in a quarter less bytes: header, payload and signature. */
export type StoredJws = Uint8Array[];

/** The JWS must be one that the service accepted or made: its parts are canonical base64url. */
export const toStoredJws = (jws: string): StoredJws =>
  jws.split('.').map((part) => Buffer.from(part, 'base64url'));

export const fromStoredJws = (parts: StoredJws): string =>
  parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
