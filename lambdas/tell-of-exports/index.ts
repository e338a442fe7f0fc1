import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { OwnEvents } from '../../core/events/own-event-store.ts';
import { batchLambda } from '../../core/lambda/batch-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { noticeDeps } from '../../core/lambda/notice-wiring.ts';
import { producer } from '../../core/lambda/producer.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const dynamodb = documentClient();

export const handler = batchLambda(
  createHandler({
    ...noticeDeps(dynamodb, env),
    events: new OwnEvents(dynamodb, env.EVENTS_TABLE),
    producer: producer(),
  }),
);
