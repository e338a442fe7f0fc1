import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import * as v from 'valibot';
import { type Made, responding, type Respond } from '../../core/lambda/custom-resource.ts';
import type { CurrentKey } from '../../core/keys/published-key.ts';
import { publishKeys } from '../../core/keys/publish-keys.ts';
import type { PublishedKeyStore } from '../../core/keys/published-key-store.ts';
import type { KeyUse } from '../../core/keys/key-use.ts';
import type { PublicJwk } from '../../core/keys/public-jwk.ts';

export type Deps = {
  storeOf: (table: string) => Pick<PublishedKeyStore, 'list' | 'put'>;
  readKey: (keyId: string, use: KeyUse) => Promise<PublicJwk>;
  respond: Respond;
};

const keyIds = v.pipe(v.tupleWithRest([v.string()], v.string()));
const properties = v.object({ table: v.string(), token: keyIds, receipt: keyIds, log: keyIds });

/** The name of the key that signs. */
const kidIn = ([first]: readonly CurrentKey[]): string => first?.jwk.kid ?? '';

/**
 * Records the keys that a deployment names before its Lambdas sign with them, and tells the stack the names of those that
 * sign. What was recorded stays, also when the stack is deleted.
 */
export function createHandler({ storeOf, readKey, respond }: Deps) {
  const keysFor = async (use: KeyUse, ids: readonly string[]): Promise<CurrentKey[]> =>
    await Promise.all(ids.map(async (id) => ({ for: use, jwk: await readKey(id, use) })));

  const apply = async (event: CloudFormationCustomResourceEvent): Promise<Made> => {
    if (event.RequestType === 'Delete') return { physicalResourceId: event.PhysicalResourceId };
    const { table, token, receipt, log } = v.parse(properties, event.ResourceProperties);
    const [tokens, receipts, logs] = await Promise.all([
      keysFor('token', token),
      keysFor('receipt', receipt),
      keysFor('log', log),
    ]);
    await publishKeys(storeOf(table), [...tokens, ...receipts, ...logs], Date.now());
    const data = { tokenKid: kidIn(tokens), receiptKid: kidIn(receipts), logKid: kidIn(logs) };
    return { physicalResourceId: table, data };
  };

  return responding(respond, apply);
}
