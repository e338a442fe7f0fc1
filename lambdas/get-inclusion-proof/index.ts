import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { AcceptanceStore } from '../../core/events/acceptance-store.ts';
import { LeafStore } from '../../core/export/log/leaf-store.ts';
import { LogStore } from '../../core/export/log/log-store.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { logKey } from '../../core/lambda/log-wiring.ts';
import * as v from 'valibot';
import type { EventName } from '../../core/events/event-keys.ts';
import type { Category, TargetRef } from '../../core/events/target-ref.ts';
import { findLog } from '../../core/export/log/find-log.ts';
import { checkSize, proveInclusion } from '../../core/export/log/prove.ts';
import { checkpointOf } from '../../core/export/log/served-checkpoint.ts';
import { categoryPath, inclusionQuery } from '../../core/http/request-schemas.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { invalidField } from '../../core/kernel/refusal.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const logs = new LogStore(client, env.LOG_TABLE);
const proofs = {
  logs,
  leaves: new LeafStore(client, env.LOG_TABLE),
  events: new AcceptanceStore(client, env.EVENTS_TABLE),
};
const checkpoints = { logs, key: logKey(env), baseUrl: env.BASE_URL };

const request = v.object({ path: categoryPath, query: inclusionQuery });

type Query = v.InferOutput<typeof inclusionQuery>;

function nameOf(category: Category, { eventId, aggregateId, agent }: Query): EventName {
  if (category === 'log') return { category, eventId, agent };
  if (aggregateId === undefined)
    throw invalidField('#/query/aggregateId', 'expected the aggregate of a public event, which is missing');
  return { category, eventId, aggregateId };
}

/** By default for the checkpoint that is served, which is signed anew if the log has grown. */
async function sizeOf(ref: TargetRef, { size, generation }: Query) {
  if (size === undefined) {
    const { head, signed } = await checkpointOf(checkpoints, ref, generation);
    return { head, size: signed.size };
  }
  const head = await findLog(checkpoints.logs, ref, generation);
  checkSize('#/query/size', size, head.tree.size);
  return { head, size };
}

export const handler = bodilessLambda(
  websiteHandler(request, async ({ path: { category }, query }, { caller: { tenantId } }) => {
    const event = nameOf(category, query);
    const { head, size } = await sizeOf({ tenantId, category }, query);
    return json(200, await proveInclusion(proofs, head, event, size));
  }),
);
