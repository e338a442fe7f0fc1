import { Option } from 'commander';
import { PolledSignals } from '../../core/export/kinds/signals/polled-signal-store.ts';
import { describeTargetStatus } from '../../core/export/targets/target-status.ts';
import { isPlace } from '../../core/export/kinds/records.ts';
import { deliveredTypes, statusOf, type Stream } from '../../core/signals/stream.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { exampleTenant, tenantId } from '../ids.ts';
import { pageOf, pageOptions, pageText, pageView, type PageOptions } from '../list-page.ts';
import type { Session } from '../session.ts';
import { requireWellFormed } from '../targets/catalogue-store.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { table } from '../text-table.ts';
import { streamCatalogueOf } from './stream-catalogue.ts';

type Options = PageOptions & { tenant?: string; trouble?: true };

export const listSignalsCommand = defineCommand<Options>({
  name: 'list',
  description:
    'Lists the streams of signals that clients of tenants have made: whether they are well, what waits, and who must act.',
  optionalIds: [tenantId],
  options: [new Option('--trouble', 'only streams for which somebody must act'), ...pageOptions()],
  examples: ['signal list', `signal list ${exampleTenant} --json`, 'signal list --trouble'],
  run: listStreams,
});

/** No more signals are counted that wait to be polled. */
const mostCounted = 1_000;

async function listStreams(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  if (options.tenant !== undefined) await requireTenant(deployment, options.tenant);
  const catalogue = streamCatalogueOf(deployment);
  const { targets, malformed, tenants } = await (options.tenant === undefined
    ? catalogue.all()
    : catalogue.ofTenant(options.tenant));
  const now = Date.now();
  const wanted = targets.filter((stream) => !options.trouble || needsAct(stream, now));
  const { rows, cursor } = pageOf(wanted, { order: 'signal list', keyOf }, options);
  const streams = await Promise.all(
    rows.map(async (stream) => ({
      ...streamView(stream, now, tenants.get(stream.tenantId)?.name),
      waiting: await waiting(deployment, stream, now),
    })),
  );
  session.print(
    pageView('streams', streams, options, cursor),
    pageText([table(headings, streams.map(cellsOf))], cursor),
  );
  requireWellFormed({ malformed });
}

/** True if signals wait for what somebody must do. */
export const needsAct = (stream: Stream, now: number): boolean =>
  isPlace(stream.destination) &&
  stream.state !== 'paused' &&
  describeTargetStatus(stream, now).actor !== 'nobody';

const keyOf = ({ tenantId: id, stream }: Stream): string[] => [id, stream.place.streamId];

/** Without the header of the receiver. */
function streamView(stream: Stream, now: number, tenantName: string | undefined) {
  const { clientId, place, description } = stream.stream;
  const { state, since, reason, actor, oldestWaitingMs } = describeTargetStatus(stream, now);
  return {
    tenantId: stream.tenantId,
    ...(tenantName !== undefined && { tenantName }),
    streamId: place.streamId,
    clientId,
    ...(description !== undefined && { description }),
    delivery: place.url ?? 'poll',
    events: deliveredTypes(stream.stream),
    status: statusOf(stream),
    ...{ state, since, reason, actor },
    ...(oldestWaitingMs !== undefined && { oldestWaitingMs }),
  };
}

/** What is parked for the receiver, and what the receiver has not polled. */
async function waiting({ clients, tables }: Deployment, stream: Stream, now: number): Promise<number> {
  const { parked } = describeTargetStatus(stream, now);
  const polled = new PolledSignals(clients.dynamodb, tables.signals);
  return parked + (await polled.count(stream.stream.place.streamId, mostCounted, now));
}

type View = ReturnType<typeof streamView> & { waiting: number };

const headings = [
  'TENANT',
  'NAME',
  'STREAM',
  'CLIENT',
  'DELIVERY',
  'STATUS',
  'STATE',
  'SINCE',
  'WAITING',
  'ACTION BY',
];

const cellsOf = ({ waiting: count, ...view }: View) => [
  ...[view.tenantId, view.tenantName, view.streamId, view.clientId, view.delivery],
  ...[view.status, view.state, view.since],
  ...[count < mostCounted ? count : `${mostCounted} or more`, view.actor],
];
