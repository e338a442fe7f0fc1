import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { EventIndexStore } from '../../core/events/event-index-store.ts';
import { listLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { EVENTS_TABLE } = parseEnvironment(environment, process.env);

export const handler = listLambda(
  createHandler({ index: new EventIndexStore(documentClient(), EVENTS_TABLE) }),
);
