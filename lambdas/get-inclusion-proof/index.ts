import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { AcceptanceStore } from '../../core/events/acceptance-store.ts';
import { LeafStore } from '../../core/export/log/leaf-store.ts';
import { LogStore } from '../../core/export/log/log-store.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { logKey } from '../../core/lambda/log-wiring.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const logs = new LogStore(client, env.LOG_TABLE);

export const handler = bodilessLambda(
  createHandler({
    proofs: {
      logs,
      leaves: new LeafStore(client, env.LOG_TABLE),
      events: new AcceptanceStore(client, env.EVENTS_TABLE),
    },
    checkpoints: { logs, key: logKey(env), baseUrl: env.BASE_URL },
  }),
);
