import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { EventArchiveStore } from '../../core/events/event-archive-store.ts';
import { EventIndexStore } from '../../core/events/event-index-store.ts';
import { OwnEvents } from '../../core/events/own-event-store.ts';
import { BusyMinuteStore } from '../../core/export/log/busy-minute-store.ts';
import { GrownLogStore } from '../../core/export/log/grown-log-store.ts';
import { LeafStore } from '../../core/export/log/leaf-store.ts';
import { LogStore } from '../../core/export/log/log-store.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { logKey } from '../../core/lambda/log-wiring.ts';
import { producer } from '../../core/lambda/producer.ts';
import { scheduledLambda } from '../../core/lambda/scheduled-lambda.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const logs = new LogStore(client, env.LOG_TABLE);
const checkpoints = { logs, key: logKey(env), baseUrl: env.BASE_URL };

export const handler = scheduledLambda(
  createHandler({
    busy: new BusyMinuteStore(client, env.LOG_TABLE),
    grown: new GrownLogStore(client, env.LOG_TABLE),
    index: new EventIndexStore(client, env.EVENTS_TABLE),
    archive: new EventArchiveStore(client, env.EVENTS_TABLE),
    events: new OwnEvents(client, env.EVENTS_TABLE),
    leaves: new LeafStore(client, env.LOG_TABLE),
    logs,
    checkpoints,
    producer: producer(),
  }),
);
