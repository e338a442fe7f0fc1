import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { LogStore } from '../../core/export/log/log-store.ts';
import { listLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { LOG_TABLE } = parseEnvironment(environment, process.env);

export const handler = listLambda(createHandler({ logs: new LogStore(documentClient(), LOG_TABLE) }));
