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
import { closeMinutes } from '../../core/export/log/close-minutes.ts';
import { recordCheckpoints } from '../../core/export/log/record-checkpoints.ts';
import { seconds } from '../../core/kernel/time.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const logs = new LogStore(client, env.LOG_TABLE);
const checkpoints = { logs, key: logKey(env), baseUrl: env.BASE_URL };
const deps = {
  busy: new BusyMinuteStore(client, env.LOG_TABLE),
  grown: new GrownLogStore(client, env.LOG_TABLE),
  index: new EventIndexStore(client, env.EVENTS_TABLE),
  archive: new EventArchiveStore(client, env.EVENTS_TABLE),
  events: new OwnEvents(client, env.EVENTS_TABLE),
  leaves: new LeafStore(client, env.LOG_TABLE),
  logs,
  checkpoints,
  producer: producer(),
};

/** The rest of the Lambda's time is for the minute that is being closed. */
const timeToBegin = 15 * seconds;

/** Closes the minutes that are over, and records the checkpoints of the hours that are. */
export const handler = scheduledLambda(async (): Promise<void> => {
  const now = Date.now();
  const results = await Promise.allSettled([
    closeMinutes(deps, now, now + timeToBegin),
    recordCheckpoints(deps, now),
  ]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
});
