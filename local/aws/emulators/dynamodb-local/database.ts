import { randomBytes } from 'node:crypto';
import type { ChangedHeaders } from '../forward.ts';

/**
 * Sends the calls of all callers to one new database. DynamoDB Local has a database for each access key id, which consists
 * of letters and digits, and checks no signatures.
 */
export function inFreshDatabase(): ChangedHeaders {
  const database = `Credential=cloud${randomBytes(8).toString('hex')}`;
  return (headers) => ({
    ...headers,
    authorization: String(headers.authorization).replace(/Credential=[^/]*/, database),
  });
}
