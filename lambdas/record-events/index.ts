import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { EventStore } from '../../core/events/event-store.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';
import { largestCall } from '../../core/events/read-events.ts';

const { EVENTS_TABLE } = parseEnvironment(environment, process.env);

export const handler = jsonLambda(createHandler({ events: new EventStore(documentClient(), EVENTS_TABLE) }), {
  largestBody: largestCall,
  exact: true,
});
