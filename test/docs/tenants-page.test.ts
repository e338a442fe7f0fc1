/** What docs/tenants.md says, held against the code and against what an exporter writes. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CredentialsUnavailable } from '../../core/export/kinds/role/role-faults.ts';
import { deliveryStreamFault } from '../../core/export/kinds/bucket/delivery-stream-faults.ts';
import { explainStreamError, streamFault } from '../../core/export/kinds/stream/stream-faults.ts';
import { defaultBuffering } from '../../core/export/kinds/bucket/provisioning/delivery-stream.ts';
import { explicitHashKey } from '../../core/export/targets/lanes.ts';
import { largestRecord } from '../../core/export/delivery/packing.ts';
import {
  provisioningFault,
  type ProvisioningFaultCode,
} from '../../core/export/kinds/bucket/provisioning/provisioning-faults.ts';
import { states } from '../../core/export/targets/target.ts';
import { readSchema } from '../../core/events/schemas/published.ts';
import { ExportWorld } from '../support/export-world.ts';
import { isPublishedEvent } from '../support/published-schemas.ts';
import {
  acceptedRecords,
  activate,
  bucketFor,
  linesOf,
  writtenObjects,
  type AnyEvent,
} from './tenants/exported.ts';

const file = 'docs/tenants.md';
const page = readFileSync(file, 'utf8');

type Envelope = { events: AnyEvent[] };

const record = JSON.parse(readFileSync('docs/examples/exported/public.json', 'utf8')) as Envelope;
const lines = readFileSync('docs/examples/exported/log.jsonl', 'utf8').trimEnd().split('\n');
const batches = lines.map((line) => (JSON.parse(line) as Envelope).events);

const tenantOf = (events: AnyEvent[]): string => events[0]?.metadata.tenantId ?? '';

/** The cells of the table below a heading: of its rows, without the head. */
function tableBelow(heading: string): string[][] {
  const [, section = ''] = page.split(`${heading}\n`);
  const [, table = ''] = /\n((?:\|.*\n)+)/.exec(section) ?? [];
  const rows = table.trimEnd().split('\n').slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

/** An answer of STS, as the exporter's credentials tell it. */
const refusedRole = (code: string): Error =>
  new CredentialsUnavailable('', { cause: Object.assign(new Error(code), { name: code }) });

/** Whatever the two files name, tried as the code of each kind of fault. */
function tenantsFaults(): string[] {
  const named = (path: string): string[] =>
    [...readFileSync(path, 'utf8').matchAll(/^ {2}(\w+):/gm)].map(([, code = '']) => code);
  const deliveries = [
    'kinds/role/role-faults.ts',
    'kinds/stream/stream-faults.ts',
    'kinds/bucket/delivery-stream-faults.ts',
  ]
    .flatMap((path) => named(`core/export/${path}`))
    .flatMap((code) => [streamFault(code), deliveryStreamFault(code), explainStreamError(refusedRole(code))]);
  const provisioning = named('core/export/kinds/bucket/provisioning/provisioning-faults.ts').map((code) =>
    provisioningFault(code as ProvisioningFaultCode),
  );
  const faults = [...deliveries, ...provisioning].filter(({ actor }) => actor === 'tenant');
  return [...new Set(faults.map(({ code }) => code))];
}

describe('docs/tenants.md', () => {
  test('agrees with the code on metadata', () => {
    const told = tableBelow('## Metadata').map(([field, ...presence]) => [field, ...presence.slice(0, 2)]);
    const [open, log] = ['public', 'log'].map((category) => {
      const { properties } = readSchema(`${category}-event-1.0.json`) as {
        properties?: { metadata?: { properties: object; required: string[] } };
      };
      return properties?.metadata ?? { properties: {}, required: [] };
    });
    const presence = (schema: typeof open, field: string): string => {
      if (!schema || !(field in schema.properties)) return '–';
      return schema.required.includes(field) ? 'required' : 'optional';
    };
    const fields = Object.keys({ ...open?.properties, ...log?.properties }).sort();
    expect(told).toEqual(fields.map((field) => [field, presence(open, field), presence(log, field)]));
  });

  test('agrees with the code on states', () => {
    expect(tableBelow('## When events do not arrive').map(([state]) => state)).toEqual([...states]);
  });

  test('agrees with the code on every fault that the tenant must fix', () => {
    const told = tableBelow('You must fix these:').map(([code]) => code);
    expect(told.length).toBeGreaterThan(5);
    expect(told.sort()).toEqual(tenantsFaults().sort());
  });

  test('agrees with the code on limits', () => {
    expect(tableBelow('## Limits')[0]?.[1]).toContain(`${largestRecord.toLocaleString('en')} bytes`);
    const { seconds, mebibytes } = defaultBuffering;
    expect(tableBelow('## What you set up').at(-1)).toContain(
      `${seconds / 60} minutes or ${mebibytes} MiB, whichever comes first`,
    );
  });
});

describe('an example', () => {
  let world: ExportWorld;
  beforeAll(async () => {
    world = await ExportWorld.start();
  });
  afterAll(async () => await world.close());

  test('contains events that match the schemas', () => {
    for (const event of [...record.events, ...batches.flat()]) expect(isPublishedEvent(event)).toBe(true);
  });

  test('contains the record byte by byte, with its partition key and hash key', async () => {
    const { name, destination } = await world.streamTarget();
    const tenantId = tenantOf(record.events);
    await activate(world, { tenantId, category: 'public' }, destination);
    expect(await world.export(acceptedRecords(tenantId, record.events))).toEqual([]);

    const [read, ...others] = await world.read(name);
    expect(others).toEqual([]);
    expect(read?.data).toBe(JSON.stringify(record));
    const { partitionKey = '' } = read ?? {};
    expect(page).toContain(
      `partition key \`${partitionKey}\` and the explicit hash key \`${explicitHashKey(partitionKey)}\``,
    );
  });

  test('contains the lines of the object byte by byte, under the documented key', async () => {
    const tenantId = tenantOf(batches.flat());
    const bucket = await bucketFor(world, { tenantId, category: 'log' });
    for (const batch of batches) expect(await world.export(acceptedRecords(tenantId, batch))).toEqual([]);

    const objects = await writtenObjects(bucket, lines.length);
    expect(linesOf(objects).sort()).toEqual(lines.toSorted());
    for (const { key, text } of objects) {
      expect(key).toMatch(/^\d{4}\/\d{2}\/\d{2}\/\d{2}\/log\/[^/]+$/);
      expect(text.endsWith('}\n')).toBe(true);
    }
  });
});
