import * as v from 'valibot';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { dismissBody, dismissGivenUp } from '../../core/export/targets/dismiss-given-up.ts';
import { GivenUpEvents } from '../../core/export/targets/given-up-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { exportPath } from '../../core/http/export-request.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { producer } from '../../core/lambda/producer.ts';
import { viewForTenant } from '../../core/lambda/tenant-view.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  targets: new TargetStore(client, env.TENANTS_TABLE),
  givenUp: new GivenUpEvents(client, env.TENANTS_TABLE),
  eventsTable: env.EVENTS_TABLE,
  producer: producer(),
};
const view = viewForTenant(env);

const request = v.object({ path: exportPath, body: dismissBody });

export const handler = jsonLambda(
  websiteHandler(request, async ({ path: { category }, body: { reason } }, { caller, ...context }) => {
    const { tenantId, clientId } = caller;
    const dismissal = { who: clientId, reason };
    const target = await dismissGivenUp(deps, { tenantId, category }, dismissal, context);
    return json(200, view(target, context.now));
  }),
);
