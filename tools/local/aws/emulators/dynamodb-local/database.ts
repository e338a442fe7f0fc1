import { randomBytes } from 'node:crypto';
import type { Backend } from '../../endpoint/http.ts';
import type { ChangedHeaders } from '../forward.ts';

/** A new database of DynamoDB Local, which has one for each access key id. */
export type FreshDatabase = {
  /** Sends the calls of all callers to it. DynamoDB Local checks no signatures. */
  changed: ChangedHeaders;
  /** Ends it. Otherwise DynamoDB Local would look for its expired items until it ends itself. */
  end: (backend: Backend) => Promise<void>;
};

/** The name consists of letters and digits, as an access key id. */
export function freshDatabase(name = `cloud${randomBytes(8).toString('hex')}`): FreshDatabase {
  const credential = `Credential=${name}`;
  return {
    changed: (headers) => ({
      ...headers,
      authorization: String(headers.authorization).replace(/Credential=[^/]*/, credential),
    }),
    end: async (backend) => {
      const headers = { authorization: `${credential}/` };
      await backend({ method: 'DELETE', url: '/', headers, body: Buffer.alloc(0) });
    },
  };
}
