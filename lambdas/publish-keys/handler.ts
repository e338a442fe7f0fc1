import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import * as v from 'valibot';
import { faultOf, type Outcome, type Respond } from '../../core/lambda/custom-resource.ts';
import { type CurrentKey, losesKey } from '../../core/keys/published-key.ts';
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
const properties = v.object({ table: v.string(), token: keyIds, receipt: keyIds });

const settings = { token: 'signingKeys', receipt: 'receiptKeys' } as const;

/**
 * The versions of Lambdas before the update go on signing with the key that was first, until the new ones have taken their place.
 *
 * @throws {Error} if the update takes that key away
 */
async function keepSigning(
  event: CloudFormationCustomResourceEvent,
  store: Pick<PublishedKeyStore, 'list'>,
  current: readonly CurrentKey[],
): Promise<void> {
  if (event.RequestType !== 'Update') return;
  const named = v.parse(properties, event.ResourceProperties);
  const before = v.parse(properties, event.OldResourceProperties);
  for (const use of ['token', 'receipt'] as const)
    if (!named[use].includes(before[use][0]) && losesKey(use, await store.list(), current, Date.now()))
      throw new Error(
        `${settings[use]}: the first key of the stage still signs. Put the new name first and keep the old one behind it, deploy, and remove it with the next deployment.`,
      );
}

/**
 * Records the keys that a deployment names before its Lambdas sign with them, and tells the stack the names of those that
 * sign. What was recorded stays, also when the stack is deleted. Always responds, because the stack waits.
 */
export function createHandler({ storeOf, readKey, respond }: Deps) {
  const keysFor = async (use: 'token' | 'receipt', ids: readonly string[]): Promise<CurrentKey[]> =>
    await Promise.all(ids.map(async (id) => ({ for: use, jwk: await readKey(id, use) })));

  const apply = async (event: CloudFormationCustomResourceEvent): Promise<Outcome> => {
    if (event.RequestType === 'Delete')
      return { status: 'SUCCESS', physicalResourceId: event.PhysicalResourceId };
    const { table, token, receipt } = v.parse(properties, event.ResourceProperties);
    const [tokens, receipts] = await Promise.all([keysFor('token', token), keysFor('receipt', receipt)]);
    const [store, current] = [storeOf(table), [...tokens, ...receipts]];
    await keepSigning(event, store, current);
    await publishKeys(store, current, Date.now());
    const data = { tokenKid: tokens[0]?.jwk.kid ?? '', receiptKid: receipts[0]?.jwk.kid ?? '' };
    return { status: 'SUCCESS', physicalResourceId: table, data };
  };

  const outcomeOf = async (event: CloudFormationCustomResourceEvent): Promise<Outcome> => {
    try {
      return await apply(event);
    } catch (error) {
      const physicalResourceId = event.RequestType === 'Create' ? 'not-created' : event.PhysicalResourceId;
      return { status: 'FAILED', physicalResourceId, reason: faultOf(error) };
    }
  };

  return async (event: CloudFormationCustomResourceEvent): Promise<void> => {
    await respond(event, await outcomeOf(event));
  };
}
