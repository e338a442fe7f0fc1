import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { LeafStore } from '../../core/export/log/leaf-store.ts';
import { LogStore } from '../../core/export/log/log-store.ts';
import { listLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { LOG_TABLE } = parseEnvironment(environment, process.env);
const client = documentClient();

export const handler = listLambda(
  createHandler({ logs: new LogStore(client, LOG_TABLE), leaves: new LeafStore(client, LOG_TABLE) }),
);
