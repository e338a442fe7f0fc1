import { randomBytes } from 'node:crypto';
import type { ChangedHeaders } from '../forward.ts';

/**
 * Sends all calls to one new database, whoever makes them: DynamoDB Local keeps a database for each access key id, and
 * checks no signature. Such an id has letters and digits only.
 */
export function inFreshDatabase(): ChangedHeaders {
  const database = `Credential=cloud${randomBytes(8).toString('hex')}`;
  return (headers) => ({
    ...headers,
    authorization: String(headers.authorization).replace(/Credential=[^/]*/, database),
  });
}
