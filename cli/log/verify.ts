import { Option } from 'commander';
import * as v from 'valibot';
import { isKeyDocument, type LogFinding, type OmiKeys } from '#consumer';
import { EventArchiveStore } from '../../core/events/event-archive-store.ts';
import { BusyMinuteStore } from '../../core/export/log/busy-minute-store.ts';
import { LeafStore } from '../../core/export/log/leaf-store.ts';
import { LogStore } from '../../core/export/log/log-store.ts';
import { retention } from '../../core/kernel/retention.ts';
import { hours, minutes, rfc3339 } from '../../core/kernel/time.ts';
import { bodyOf, exchange } from '../../client/http.ts';
import { keysOf, textOf } from '../audit/files.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { numberOption } from '../options.ts';
import type { Session } from '../session.ts';
import { refOf, type TargetOptions } from '../targets/target-record.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { fields, table } from '../text-table.ts';
import { EventComparer, type Comparison } from './compare-events.ts';
import { readHeads, type StoredHeads } from './stored-heads.ts';
import { verifyStoredTree } from './verify-stored-tree.ts';

type Options = TargetOptions & { checkpoint?: string[]; keys?: string; days: number };

const mostDays = 14;

export const verifyCommand = defineCommand<Options>({
  name: 'verify',
  description:
    'Verifies that nobody changed the log of a tenant, or its stored events: the signature of the last checkpoint, that all minutes are ' +
    'those of the checkpoint, that the leaves of each minute have its root, and that each stored event has its leaf. It reads ' +
    'the tables and changes nothing. If something was found, the exit code is 1.',
  ids: [tenantId, categoryId],
  options: [
    new Option(
      '--checkpoint <file...>',
      'earlier checkpoints, which somebody kept: the log must continue each of them',
    ),
    new Option(
      '--keys <file>',
      'a kept answer of GET /.well-known/omi-keys (default: what the service answers now)',
    ),
    numberOption(
      '--days <days>',
      'compare the events of the last days alone. Reading events costs capacity of the tables',
      { from: 1, to: mostDays, example: 2 },
    ).default(mostDays),
  ],
  examples: [
    `log verify ${exampleTenant} public`,
    `log verify ${exampleTenant} public --checkpoint kept.txt --keys kept-keys.json --days 2`,
  ],
  run: verify,
});

/** Every minute that is older is closed, unless it is still marked. */
const settledAfterMs = 4 * minutes;

async function verify(session: Session, options: Options): Promise<void> {
  const kept = await Promise.all((options.checkpoint ?? []).map(textOf));
  const ownKeys = options.keys === undefined ? undefined : await keysOf(options.keys);
  const deployment = await session.deployment();
  await requireTenant(deployment, options.tenant);
  const { baseUrl, formerBaseUrls, clients, tables } = deployment;
  const keys = ownKeys ?? (await publishedKeys(deployment));
  const ref = refOf(options);
  const logs = new LogStore(clients.dynamodb, tables.log);
  const heads = await readHeads(logs, ref);
  const head = heads.latest;
  const range = rangeOf(options.days, Date.now());
  const compared = await compareEvents(session, deployment, heads, range);
  session.note(`Verifying ${head.tree.size} minutes of the log …`);
  const found = await verifyStoredTree(logs, heads, { ...ref, baseUrl, formerBaseUrls, keys, kept });
  const { text } = head.signed ?? {};
  if (text === undefined)
    session.note(
      'No checkpoint was signed yet, so nothing but the tables themselves says what was accepted.',
    );
  const findings = [...found, ...compared.findings];
  const result = {
    size: head.tree.size,
    compared: compared.compared,
    erased: compared.erased,
    open: compared.open,
  };
  const { tenant, category } = options;
  session.print(
    {
      ...{ tenantId: tenant, category, ok: findings.length === 0, ...result, from: rfc3339(range.from) },
      ...{ findings, ...(text !== undefined && { checkpoint: text }) },
    },
    describe({ ...result, from: range.from, findings, checkpoint: text }),
  );
  if (findings.length === 0) return;
  throw new CommandError(
    `The log or the stored events were changed: ${findings.length} findings.`,
    'Change nothing, and save the tables and this result. "When the log does not verify" in docs/operations/watch.md says what each fault means.',
  );
}

/** An hour before they expire, so that nothing expires while it is compared. */
function rangeOf(days: number, now: number): { from: number; to: number } {
  const oldest = now - retention.event + hours;
  const from = Math.max(now - days * 24 * hours, oldest);
  return { from: Math.ceil(from / minutes) * minutes, to: now - settledAfterMs };
}

async function compareEvents(
  session: Session,
  { clients, tables }: Deployment,
  { latest, all }: StoredHeads,
  range: { from: number; to: number },
): Promise<Comparison> {
  const deps = {
    archive: new EventArchiveStore(clients.dynamodb, tables.events),
    busy: new BusyMinuteStore(clients.dynamodb, tables.log),
    logs: new LogStore(clients.dynamodb, tables.log),
    leaves: new LeafStore(clients.dynamodb, tables.log),
  };
  const comparer = new EventComparer(deps, latest.log, all, {
    compared: (hour, events) =>
      session.note(`${events} events of the log compared, up to the end of ${hour}h UTC`),
    unreadable: (reason) => session.note(`Not readable: ${reason}`),
  });
  return await comparer.compare(range);
}

/** @throws {CommandError} if the service does not answer them */
async function publishedKeys({ baseUrl }: Deployment): Promise<OmiKeys> {
  const url = `${baseUrl}/.well-known/omi-keys`;
  const hint = 'Pass --keys with an answer of this URL that you kept, or run "omi doctor".';
  let document: unknown;
  try {
    document = bodyOf(await exchange({ method: 'GET', url }, v.unknown()));
  } catch (cause) {
    const reason = cause instanceof Error ? ` ${cause.message}` : '';
    throw new CommandError(`${url} does not answer.${reason}`, hint, { cause });
  }
  if (isKeyDocument(document)) return document;
  throw new CommandError(`${url} does not answer with the keys of the service.`, hint);
}

/** The most that a person is told. The JSON has all. */
const mostShown = 50;

type Described = {
  size: number;
  compared: number;
  erased: number;
  open: number;
  from: number;
  findings: readonly LogFinding[];
  checkpoint: string | undefined;
};

function describe({ size, compared, erased, open, from, findings, checkpoint = '' }: Described): string {
  const [origin = '', signedSize = ''] = checkpoint.split('\n');
  const summary = fields({
    log: origin === '' ? 'no checkpoint yet' : `${origin}, signed up to ${signedSize} minutes`,
    minutes: size,
    'events compared': `${compared}, since ${rfc3339(from)}`,
    'events that were erased': erased,
    'events whose minute is not closed': open,
    found: findings.length === 0 ? 'nothing was changed' : findings.length,
  });
  const shown = findings.slice(0, mostShown);
  const rows = shown.map(({ fault, minute, eventId, detail }) => [fault, minute, eventId, detail]);
  const left = findings.length - shown.length;
  return [
    summary,
    ...(rows.length > 0 ? ['', table(['fault', 'minute', 'event', 'detail'], rows)] : []),
    ...(left > 0 ? [`${left} more are listed by --json`] : []),
  ].join('\n');
}
