import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { EventRateStore } from '../../core/events/event-rate-store.ts';
import { EventStore } from '../../core/events/event-store.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';
import { largestCallBytes } from '../../core/events/read-events.ts';

const { EVENTS_TABLE, LEDGER_TABLE } = parseEnvironment(environment, process.env);

const client = documentClient();
const deps = {
  events: new EventStore(client, EVENTS_TABLE),
  rates: new EventRateStore(client, LEDGER_TABLE),
};

export const handler = jsonLambda(createHandler(deps), {
  largestBodyBytes: largestCallBytes,
  exact: true,
});
