import { setTimeout } from 'node:timers/promises';
import {
  DeleteDeliveryStreamCommand,
  DescribeDeliveryStreamCommand,
  FirehoseClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-firehose';
import { IAMClient, ListRolePoliciesCommand } from '@aws-sdk/client-iam';
import { GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { WebsiteClient } from '../../../client/website-client.ts';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { expectProblem, succeeded } from '../../contract/expectations.ts';
import { challengedDevice, enrolDevice, newUser, startEnrolment } from '../../contract/scenario.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { dynamodbOf, eventsIn, placeOf } from './tables.ts';
import { keyArn, named, setStream, type Target } from './target-lines.ts';
import { newTenant } from './tenants.ts';

type Made = { clientId: string; clientSecret: string; tokenUrl: string };
type Changed = { state: string; since?: string; clients: number };

export function tenantStates(stack: TestStack): void {
  const omi = omiOn(stack);
  const json = jsonOn(stack);

  /** A tenant of its own, and how its website calls the API: each time with a new token, which no cache knows. */
  const newCustomer = async () => {
    const tenantId = await newTenant(stack);
    const create = ['client', 'create', '--tenant', tenantId, '--name', 'site', '--scope', 'all'];
    const client = await json<Made>(...create);
    const tenant = ['--tenant', tenantId];
    const website = () => new WebsiteClient({ ...stack.file, ...client });
    return { tenantId, tenant, clientId: client.clientId, website };
  };
  const logOf = async (tenantId: string) =>
    (await eventsIn(stack, `log#${tenantId}#operator`)).map(({ metadata }) => metadata['type']);

  test('locks out its websites with 401 until it is resumed', async () => {
    const { tenant, website } = await newCustomer();
    expect((await website().listDevices('alice')).status).toBe(200);
    const suspended = await json<Changed>('tenant', 'suspend', ...tenant);
    expect(suspended).toMatchObject({ state: 'suspended', since: expect.any(String), clients: 1 });
    expect((await website().listDevices('alice')).status).toBe(401);
    expect(await json('tenant', 'show', ...tenant)).toMatchObject({ state: 'suspended' });
    expect(await json('tenant', 'resume', ...tenant)).toMatchObject({ state: 'active', clients: 1 });
    expect((await website().listDevices('alice')).status).toBe(200);
  });

  test('locks out its devices at once until it is resumed', async () => {
    const { tenant, website } = await newCustomer();
    const { device, challenge } = await challengedDevice(website());
    await json('tenant', 'suspend', ...tenant);
    expect(succeeded(await device.challenges(), 200)).toMatchObject({ challenges: [] });
    expectProblem(await device.confirm(challenge), 404, 'challenge-not-found');
    // What changes nothing for the tenant goes on: the device stays reachable for later.
    succeeded(await device.refreshPushToken('another-push-token'), 204);
    await json('tenant', 'resume', ...tenant);
    expect(succeeded(await device.challenges(), 200).challenges).toHaveLength(1);
    succeeded(await device.confirm(challenge), 200);
  });

  test('lets a device remove itself while suspended', async () => {
    const { tenant, website } = await newCustomer();
    const device = await enrolDevice(website());
    await json('tenant', 'suspend', ...tenant);
    succeeded(await device.remove(), 204);
  });

  test('makes its enrolment codes unusable until it is resumed', async () => {
    const { tenant, website } = await newCustomer();
    const { qr } = await startEnrolment(website(), newUser());
    await json('tenant', 'suspend', ...tenant);
    const device = new SimulatedDevice();
    expectProblem(await device.enrol(qr), 404, 'enrolment-not-found');
    await json('tenant', 'resume', ...tenant);
    succeeded(await device.enrol(qr), 201);
  });

  test('is never deleted without a confirmation', async () => {
    const { tenant } = await newCustomer();
    expect(await omi(['tenant', 'delete', ...tenant])).toMatchObject({ code: 2, out: '' });
    expect(await omi(['tenant', 'delete', ...tenant], { answer: 'n' })).toMatchObject({ code: 1, out: '' });
    expect(await json('tenant', 'show', ...tenant)).toMatchObject({ state: 'active' });
  });

  test('has no clients, devices, targets, delivery streams or permissions after its deletion', async () => {
    const { tenantId, tenant, clientId, website } = await newCustomer();
    const { device, challenge } = await challengedDevice(website());
    const { qr } = await startEnrolment(website(), newUser());
    await json(...setStream(tenantId, 'public', '--new-external-id'));
    const bucket = ['--bucket', `events-${tenantId}`, '--kms-key-arn', keyArn];
    await json('target', 'set', 'bucket', ...named(tenantId, 'log'), ...bucket);

    const stream = `omi-local-${tenantId}-log`;
    const firehose = new FirehoseClient(placeOf(stack, 'firehose'));
    await eventually(async () => (await statusOf(firehose, stream)) === 'ACTIVE');
    const deletion = ['tenant', 'delete', ...tenant, '--yes', '--no-wait'];
    const deleted = await omi(['--json', ...deletion]);
    expect(deleted.err).toContain('Run the command again later');
    const counts = { state: 'deleted', clients: 1, devices: 1, targets: 2, complete: false };
    expect(JSON.parse(deleted.out)).toMatchObject(counts);
    // The service does it when all is written, minutes later.
    await firehose.send(new DeleteDeliveryStreamCommand({ DeliveryStreamName: stream }));
    await eventually(async () => (await statusOf(firehose, stream)) === undefined);
    expect(await json(...deletion)).toMatchObject({ clients: 0, devices: 0, complete: true });

    await expect(website().listDevices('alice')).rejects.toThrow();
    expectProblem(await device.confirm(challenge), 401, 'invalid-signature');
    expectProblem(await new SimulatedDevice().enrol(qr), 404, 'enrolment-not-found');
    expect(await itemsWith(stack, `${tenantId}#`)).toEqual([]);
    const Key = { pk: `client#${clientId}`, sk: 'client' };
    const { Item } = await dynamodbOf(stack).send(new GetCommand({ TableName: localTables.tenants, Key }));
    expect(Item).toBeUndefined();
    const targets = await json<Target[]>('target', 'status', ...tenant);
    expect(targets.map(({ destination }) => destination)).toEqual([{ kind: 'none' }, { kind: 'none' }]);
    const RoleName = `omi-local-delivery-${tenantId}`;
    const iam = new IAMClient(placeOf(stack, 'sts'));
    expect((await iam.send(new ListRolePoliciesCommand({ RoleName }))).PolicyNames).toEqual([]);
    expect(await logOf(tenantId)).toEqual(['TenantDeletedEvent']);
    const registered = await eventsIn(stack, `${tenantId}#${device.identity.deviceId}`);
    expect(registered.at(-1)?.metadata['type']).toBe('UserDeviceDeregisteredEvent');
  });
}

async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(100);
}

/** Nothing for a delivery stream that is not there. */
async function statusOf(firehose: FirehoseClient, DeliveryStreamName: string): Promise<string | undefined> {
  try {
    const found = await firehose.send(new DescribeDeliveryStreamCommand({ DeliveryStreamName }));
    return found.DeliveryStreamDescription?.DeliveryStreamStatus;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** What the devices table has under a beginning of its keys. */
async function itemsWith(stack: TestStack, beginning: string): Promise<unknown[]> {
  const { Items = [] } = await dynamodbOf(stack).send(
    new ScanCommand({
      TableName: localTables.devices,
      FilterExpression: 'begins_with(pk, :beginning)',
      ExpressionAttributeValues: { ':beginning': beginning },
      ConsistentRead: true,
    }),
  );
  return Items;
}
