/** Runs every example of the help. What the examples name exists before, or is replaced by something that exists. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  DeleteDeliveryStreamCommand,
  DescribeDeliveryStreamCommand,
  FirehoseClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-firehose';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exampleClient, exampleDevice, exampleTenant } from '../../../cli/ids.ts';
import { Exports } from '#consumer';
import { WebsiteClient } from '../../../tools/client/website-client.ts';
import { challengeIdOf } from '../../../core/kernel/identifiers.ts';
import { Receiver } from '../../support/receiver.ts';
import { succeeded } from '../../contract/expectations.ts';
import { enrolDevice, openChallenge, push } from '../../contract/scenario.ts';
import { question } from '../../contract/website/groups.ts';
import { keysOf } from '../../support/service-keys.ts';
import { evidenceFile, vectorNamed } from '../../packages/evidence/evidence-vectors.ts';
import type { TestStack } from '../../support/stack.ts';
import { commandPaths, examplesOf, helpOf, wordsOf } from '../command-lines.ts';
import { serveControlPlane } from '../control-plane.ts';
import { applicationsOf, arnOf, omiOfStage, outputsOf, setFeedbackRole } from '../deployed-stage.ts';
import { newJwk } from '../new-jwk.ts';
import { type Answer, jsonOn, omiOn } from '../omi.ts';
import { type StreamPolicies, TenantAccount } from '../tenant-account.ts';
import { forgetExternalId } from './external-ids.ts';
import { placeOf } from './tables.ts';
import { newTenant } from './tenants.ts';

/** What removes something runs after what needs it. */
const removals = ['user erase ', 'tenant delete '];
const turnOf = (line: string): number => removals.findIndex((removal) => line.startsWith(removal));

/** Each once. The tenant is deleted last. `omi smoke`, `omi demo` and `omi restore` have tests of their own that run theirs. */
const lines = [...new Set([[], ...commandPaths()].flatMap((path) => examplesOf(helpOf(path))))]
  .filter((line) => !/^(smoke|demo|restore) /.test(line))
  .toSorted((one, other) => turnOf(one) - turnOf(other));

const lineOf = (beginning: string): string =>
  lines.find((line) => line.startsWith(beginning)) ?? `no example begins with ${beginning}`;

const exampleExternalId = /--external-id (\S+)/.exec(lineOf('target set stream'))?.[1] ?? '';

const hour = 3_600_000;
const before = (hours: number): string => new Date(Date.now() - hours * hour).toISOString();

type Replacements = Map<string, string>;

export function examples(stack: TestStack): void {
  const account = new TenantAccount(stack, '111122223333');
  const filled: Replacements = new Map([
    ['2026-03-01T08:00:00Z', before(3)],
    ['2026-03-01T10:00:00Z', before(1)],
    ['2026-03-01', before(24).slice(0, 10)],
  ]);
  const wordsIn = (line: string): string[] => wordsOf(line).map((word) => filled.get(word) ?? word);
  const omi = async (line: string): Promise<Answer> => await omiOn(stack)(wordsIn(line));
  const json = async <Shape>(line: string): Promise<Shape> => await jsonOn(stack)<Shape>(...wordsIn(line));
  let controlPlane: Awaited<ReturnType<typeof serveControlPlane>>;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await Receiver.start();
    controlPlane = await serveControlPlane({
      name: 'omi-production',
      outputs: await outputsOf(stack),
      mappings: {
        export: {
          State: 'Enabled',
          LastProcessingResult: 'OK',
          FunctionArn: arnOf('lambda', 'function:export-events:live'),
          EventSourceArn: arnOf('dynamodb', 'table/events/stream/2026'),
        },
      },
      alarms: [{ AlarmName: 'omi-production-export-late', StateValue: 'OK' }],
      deletedAlarms: [],
      applications: applicationsOf('fcm'),
    });
    await setFeedbackRole(stack, 'fcm', 'arn:aws:iam::000000000000:role/feedback');
    await prepareTenant(stack, filled);
  });
  afterAll(async () => {
    await Promise.all([controlPlane.close(), receiver.close()]);
    // It stays that of the deleted tenant, and an example of `omi smoke` is for nobody's.
    await forgetExternalId(stack, exampleExternalId);
  });

  /** The stream and the role, as the printed policies ask for. */
  const setUpStream = async (): Promise<void> => {
    await json(lineOf('target set stream'));
    const { policies } = await json<{ policies: StreamPolicies }>(`target policies ${exampleTenant} public`);
    await account.createStream('events');
    await account.createRole('omi-event-export', policies);
  };

  const setUpTestedStream = async (): Promise<void> => {
    await setUpStream();
    await json(`target test ${exampleTenant} public`);
  };

  const setUpBucket = async (): Promise<void> => {
    await account.createBucket('example-bank-audit');
    await json(lineOf('target set bucket'));
    const { out } = await omi(`target test ${exampleTenant} log --json`);
    const { reason } = JSON.parse(out) as { reason: string };
    const key = /omi\/\S+/.exec(reason)?.[0] ?? '';
    filled.set('w8Xk2vQ9', await account.textOf('example-bank-audit', key));
  };

  /** What an operator would have done before the example. */
  const preparations: Record<string, () => Promise<void>> = {
    [`client test-callback ${exampleClient}`]: async () => {
      await json(`client set ${exampleClient} --callback-url ${receiver.url}`);
    },
    [`client rotate ${exampleClient} --callback`]: async () => {
      await json(lineOf(`client set ${exampleClient} --callback-url`));
    },
    [`target rotate ${exampleTenant} public`]: async () => {
      await json(lineOf('target set webhook'));
    },
    [`target test ${exampleTenant} public`]: setUpStream,
    [`target test ${exampleTenant} log --proof w8Xk2vQ9`]: setUpBucket,
    [`target test ${exampleTenant} public --type UserSignedInEvent`]: setUpTestedStream,
    [`target pause ${exampleTenant} public`]: setUpTestedStream,
    [`target remove ${exampleTenant} log --yes`]: async () => {
      await json(`target set none ${exampleTenant} log --yes`);
      await deleteDeliveryStream(stack, `omi-local-${filled.get(exampleTenant)}-log`);
    },
  };

  const run = async (line: string): Promise<Answer> =>
    line.includes('--stage') ? await omiOfStage(stack, wordsIn(line), controlPlane.url) : await omi(line);

  test.each(lines)('runs: omi %s', async (line) => {
    await preparations[line]?.();
    const { code, err } = await run(line);
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
  });

  test('has every preparation in use in the help', () => {
    expect(Object.keys(preparations).filter((line) => !lines.includes(line))).toEqual([]);
  });
}

/** The tenant of the examples, with a client, a user with a device, and a notification. */
async function prepareTenant(stack: TestStack, filled: Replacements): Promise<void> {
  const json = jsonOn(stack);
  const tenantId = await newTenant(stack);
  filled.set(exampleTenant, tenantId);
  const create = async (name: string) =>
    await json<{ clientId: string; clientSecret: string; tokenUrl: string }>(
      ...['client', 'create', tenantId, '--name', name, '--scope', 'all'],
    );
  filled.set(exampleClient, (await create('example')).clientId);
  for (const file of ['events.jsonl', 'erased.jsonl']) filled.set(file, join(stack.directory, file));
  for (const file of ['agent-keys.json', 'payments-keys.json']) {
    filled.set(file, join(stack.directory, file));
    await writeFile(join(stack.directory, file), JSON.stringify({ keys: [newJwk('EC', {})] }));
  }
  filled.set('logo.svg', join(stack.directory, 'logo.svg'));
  await writeFile(join(stack.directory, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeAuditFiles(stack.directory, filled);
  const website = new WebsiteClient({ ...stack.file, ...(await create('app')) });
  await keepGroup(stack, website, filled);
  await keepCheckpoint(stack, website, filled);
  const device = await enrolDevice(website, 'alice');
  filled.set(exampleDevice, device.identity.deviceId);
  const nonce = wordsOf(lineOf('notification show')).at(3) ?? '';
  const { challengeId } = await push(website, device, { nonce });
  filled.set(challengeIdOf(exampleTenant, nonce), challengeId);
}

/** What a website kept of a group, beside the keys of the published vectors. */
async function keepGroup(stack: TestStack, website: WebsiteClient, filled: Replacements): Promise<void> {
  const phones = [await enrolDevice(website), await enrolDevice(website)];
  const asked = question(phones, 2);
  succeeded(await website.requestGroup(asked), 202);
  for (const phone of phones) succeeded(await phone.confirm(await openChallenge(phone)), 200);
  const group = succeeded(await website.getGroup(asked.nonce), 200);
  const keys = [...evidenceFile.keys.keys, ...(await keysOf(stack.file.baseUrl)).keys];
  const kept = {
    'order.json': JSON.stringify(group),
    'order.txt': asked.message,
    'omi-keys.json': JSON.stringify({ keys }),
  };
  for (const [name, text] of Object.entries(kept)) {
    filled.set(name, join(stack.directory, name));
    filled.set(`@${name}`, `@${join(stack.directory, name)}`);
    await writeFile(join(stack.directory, name), text);
  }
}

/** What a tenant kept of its log, and of the service's keys. */
async function keepCheckpoint(stack: TestStack, website: WebsiteClient, filled: Replacements): Promise<void> {
  const { baseUrl } = stack.file;
  const exports = new Exports({ baseUrl, token: async () => await website.accessToken() });
  const kept = {
    'kept.txt': await exports.checkpoint('public'),
    'kept-keys.json': JSON.stringify(await keysOf(baseUrl)),
  };
  for (const [name, text] of Object.entries(kept)) {
    filled.set(name, join(stack.directory, name));
    await writeFile(join(stack.directory, name), text);
  }
}

/** What a website kept of two confirmations: those of the published vectors. */
async function writeAuditFiles(folder: string, filled: Replacements): Promise<void> {
  const write = async (name: string, text: string): Promise<void> => {
    filled.set(name, join(folder, name));
    filled.set(`@${name}`, `@${join(folder, name)}`);
    await writeFile(join(folder, name), text);
  };
  const plain = vectorNamed('a confirmation');
  const { confirmation, asked } = vectorNamed('a confirmation with details, of a verified user');
  await write('payment.json', JSON.stringify(plain.confirmation));
  await write('message.txt', plain.asked.message);
  await write('transfer.json', JSON.stringify(confirmation));
  await write('transfer.txt', asked.message);
  await write('details.json', JSON.stringify(asked.details));
  await write('omi-keys.json', JSON.stringify(evidenceFile.keys));
  await mkdir(join(folder, 'exported'));
  const { status: _, tenantId, ...payload } = confirmation;
  const type = 'PushNotificationConfirmedEvent';
  const metadata = { category: 'public', eventId: 'e', metadataVersion: '1.0', tenantId, type };
  const event = { metadata: { ...metadata, occurredTime: '2026-03-02T10:00:08Z' }, payload };
  await write('exported/events.jsonl', `${JSON.stringify({ events: [event] })}\n`);
  filled.set('exported/', join(folder, 'exported'));
  filled.set('https://omi.example.com', evidenceFile.baseUrl);
}

/** The service does it when its buffer is written, minutes later. */
async function deleteDeliveryStream(stack: TestStack, DeliveryStreamName: string): Promise<void> {
  const firehose = new FirehoseClient(placeOf(stack, 'firehose'));
  await firehose.send(new DeleteDeliveryStreamCommand({ DeliveryStreamName })).catch(ignoreMissing);
  const exists = async (): Promise<boolean> =>
    await firehose.send(new DescribeDeliveryStreamCommand({ DeliveryStreamName })).then(
      () => true,
      (error: unknown) => ignoreMissing(error),
    );
  while (await exists()) await setTimeout(100);
}

function ignoreMissing(error: unknown): false {
  if (error instanceof ResourceNotFoundException) return false;
  throw error;
}
