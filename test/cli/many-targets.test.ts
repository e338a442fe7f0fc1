import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Deployment } from '../../cli/deployment/deployment.ts';
import { targetsProbe } from '../../cli/doctor/probes/targets-probe.ts';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describeFindings } from '../../cli/doctor/report.ts';
import { receiversProbe } from '../../cli/doctor/probes/receivers-probe.ts';
import { acknowledgementOf } from '../../core/export/notices/acknowledgement.ts';
import { AilingTargets } from '../../core/export/notices/ailing-target-store.ts';
import { describeSome } from '../../cli/targets/status.ts';
import { catalogueStoreOf } from '../../cli/targets/catalogue-store.ts';
import { tenantKeys } from '../../core/tenants/tenant-keys.ts';
import type { TargetRef } from '../../core/events/target-ref.ts';
import { targetKey } from '../../core/export/targets/target-item.ts';
import { TargetReadiness } from '../../core/export/targets/target-readiness-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { testDatabase } from '../support/dynamodb.ts';
import { streamDestination } from '../support/provisioning-world.ts';

let dynamodb: DynamoDBDocumentClient;
let deployment: Deployment;
let targets: TargetStore;
beforeAll(async () => {
  dynamodb = await testDatabase({ tenants: 'tenants' });
  targets = new TargetStore(dynamodb, 'tenants');
  deployment = {
    selector: '--local',
    tables: { tenants: 'tenants' },
    clients: { dynamodb },
  } as unknown as Deployment;
});

const register = async (): Promise<TargetRef> => {
  const ref: TargetRef = { tenantId: randomUUID(), category: 'public' };
  await targets.register(ref, streamDestination, 1);
  return ref;
};

const activate = async (ref: TargetRef): Promise<void> => {
  const target = await targets.find(ref);
  if (!target) throw new Error('There is no such target');
  await new TargetReadiness(dynamodb, 'tenants').verified(target, 2);
};

beforeEach(async () => {
  const refs = await Promise.all(Array.from({ length: 21 }, register));
  await Promise.all(refs.map(activate));
  await register();
});

test('doctor names an active target whose events were given up, and says how to bring them back', async () => {
  const ref = await register();
  await activate(ref);
  const lost = { cause: 'errors', from: 1_000, to: 2_000 };
  const fail = async (givenUp: object[]) => {
    await dynamodb.send(
      new UpdateCommand({
        TableName: 'tenants',
        Key: targetKey(ref),
        UpdateExpression: 'SET givenUp = :lost',
        ExpressionAttributeValues: { ':lost': givenUp },
      }),
    );
    const findings = await targetsProbe.check(deployment);
    return findings.find(({ subject }) => subject === `${ref.tenantId} public`);
  };
  expect(
    await fail([
      { ...lost, events: 20 },
      { ...lost, events: 6 },
    ]),
  ).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/^is degraded since .* 26 events were given up, and did not arrive/),
    fix: expect.stringContaining(`omi replay ${ref.tenantId} public --given-up`),
  });
  expect(await fail([lost])).toMatchObject({ detail: expect.stringContaining('Some events') });
});

test('doctor says who has acknowledged the trouble of a target', async () => {
  const ref = await register();
  const target = await targets.find(ref);
  if (!target) throw new Error('There is no such target');
  const ailing = new AilingTargets(dynamodb, 'tenants');
  const now = Date.now();
  const until = Date.UTC(2100, 0);
  await ailing.add(ref, now);
  await ailing.acknowledge(ref, acknowledgementOf(target, { by: 'anna', until }, now));
  const findings = await targetsProbe.check(deployment);
  expect(findings.find(({ subject }) => subject === `${ref.tenantId} public`)).toMatchObject({
    ok: false,
    detail: expect.stringContaining('Acknowledged by anna until 2100-01-01T00:00:00.000Z.'),
  });
});

test('the status shows at most 20 inactive targets, those that need an action first', async () => {
  const found = (await catalogueStoreOf(deployment).all()).targets;
  const [example] = found.filter(({ state }) => state === 'validating');
  if (!example) throw new Error('There is no such target');
  const recovering = Array.from({ length: 30 }, () => ({ ...example, state: 'degraded' as const }));
  const shown = describeSome([...recovering, example], Date.now(), () => ({}));
  expect(shown.match(/^tenant /gm)).toHaveLength(20);
  expect(shown).toMatch(/^state +validating/m);
  expect(shown).toContain('11 more inactive targets are not shown: select them with --state.');
});

test('doctor counts healthy receivers and names at most 20 failing targets', async () => {
  const target = { tenantId: randomUUID(), url: 'https://www.example.com/callbacks', since: 1 };
  const receivers = Array.from({ length: 22 }, (_, index) => ({
    ...target,
    ...tenantKeys.clientCallback(`client-${index}`),
    clientId: `client-${index}`,
    state: index === 0 ? 'failing' : 'active',
  }));
  for (const Item of receivers) await dynamodb.send(new PutCommand({ TableName: 'tenants', Item }));
  expect(await receiversProbe.check(deployment)).toMatchObject([
    { subject: '21 receivers', ok: true, detail: 'are active' },
    { subject: 'client-0 callbacks', warning: true },
  ]);

  const wrong = Array.from({ length: 25 }, (_, index) => ({
    ...{ check: 'targets', subject: `target ${index}`, ok: false },
    ...{ detail: 'is parked', fix: `test ${index}` },
  }));
  const text = describeFindings([{ check: 'targets', subject: '9 targets', ok: true, detail: '' }, ...wrong]);
  expect(text.match(/FAILED/g)).toHaveLength(20);
  expect(text).toMatch(/targets +5 more +are listed by --json/);
  expect(text).not.toContain('test 24');
  expect(text).toMatch(/\n26 checks: 25 failed, 1 ok\.$/);
});
