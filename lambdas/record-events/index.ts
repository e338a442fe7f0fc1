import { documentClient } from '../../core/adapters/dynamodb.ts';
import { EventStore } from '../../core/adapters/event-store.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { jsonLambda } from '../../core/http/lambda.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';
import { largestCall } from './read-events.ts';

const { EVENTS_TABLE } = parseEnvironment(environment, process.env);

export const handler = jsonLambda(createHandler({ events: new EventStore(documentClient(), EVENTS_TABLE) }), {
  largestBody: largestCall,
  exact: true,
});
