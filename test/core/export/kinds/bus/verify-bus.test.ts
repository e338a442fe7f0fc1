import { randomUUID } from 'node:crypto';
import { CreateEventBusCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { TargetRef } from '../../../../../core/events/target-ref.ts';
import { busDocuments } from '../../../../../core/export/kinds/bus/bus-documents.ts';
import type { BusDestination } from '../../../../../core/export/kinds/bus/record.ts';
import { exporterRoleArnsOf } from '../../../../../core/export/kinds/policies/operator-roles.ts';
import { policyToPaste } from '../../../../../core/export/kinds/policies/policy-to-paste.ts';
import type { RoleDocuments } from '../../../../../core/export/kinds/role/role-documents.ts';
import { sentTo } from '../../../../../tools/local/client/sent-to-bus.ts';
import { VerificationWorld } from '../../../../support/verification-world.ts';

let world: VerificationWorld;
beforeAll(async () => {
  world = await VerificationWorld.start();
});
afterEach(() => world.faults.clear());
afterAll(async () => await world.close());

const sent = async ({ busArn }: BusDestination) =>
  await sentTo(world.exports.cloud.endpoints.eventbridge, busArn);

const operator = { stage: 'test', region: 'eu-central-1', account: '000000000000' };

/** A registered bus whose tenant did everything that the published policies ask for, but for the change. */
async function busTarget(change: (published: RoleDocuments) => object = (published) => published) {
  const ref: TargetRef = { tenantId: randomUUID(), category: 'public' };
  const name = `bus-${ref.tenantId}`;
  await new EventBridgeClient({}).send(new CreateEventBusCommand({ Name: name }));
  const destination: BusDestination = {
    kind: 'bus',
    busArn: `arn:aws:events:eu-central-1:000000000000:event-bus/${name}`,
    roleArn: `arn:aws:iam::000000000000:role/${ref.tenantId}`,
    externalId: `agreed-${randomUUID()}`,
  };
  putRole(destination, change);
  await world.register(ref, destination);
  return { ref, name, destination };
}

function putRole(destination: BusDestination, change: (published: RoleDocuments) => object): void {
  const { busArn, externalId, roleArn } = destination;
  const roleName = roleArn.slice(roleArn.lastIndexOf('/') + 1);
  const operatorRoleArns = exporterRoleArnsOf(operator);
  const published = busDocuments({ kind: 'bus', busArn, roleName, externalId, operatorRoleArns });
  const { trustPolicy, permissionPolicy } = { ...published, ...change(published) };
  world.exports.cloud.roles.put({
    arn: roleArn,
    trustPolicy: JSON.stringify(trustPolicy),
    policies: { write: JSON.stringify(permissionPolicy) },
  });
}

const allowing = (Action: string) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action, Resource: '*' }],
});

/** The published trust policy with this condition on the external id. */
const trusting =
  (onExternalId: object) =>
  ({ trustPolicy }: RoleDocuments) => ({
    trustPolicy: {
      ...trustPolicy,
      Statement: trustPolicy.Statement.map((statement) => ({ ...statement, Condition: onExternalId })),
    },
  });

describe('a bus', () => {
  test('becomes active when its role is trusted, and gets one event of the test', async () => {
    const { ref, destination } = await busTarget();
    expect(await world.tested(ref)).toMatchObject({ outcome: 'verified', state: 'active' });
    expect(await sent(destination)).toEqual([
      { bus: destination.busArn, source: 'omi', detailType: 'omi.verification', detail: '{}' },
    ]);
  });

  test.each<[string, string, (published: RoleDocuments) => object]>([
    ['can be assumed without an external id', 'Verification.OpenWithoutExternalId', trusting({})],
    [
      'can be assumed with another external id',
      'Verification.OpenToAnyExternalId',
      trusting({ StringLike: { 'sts:ExternalId': '*' } }),
    ],
    [
      'cannot be assumed with the one that was agreed on',
      'AccessDenied',
      trusting({ StringEquals: { 'sts:ExternalId': 'of-somebody-else-0' } }),
    ],
    [
      'may not send to it',
      'AccessDeniedException',
      () => ({ permissionPolicy: allowing('events:DescribeEventBus') }),
    ],
  ])('waits while its role %s, and gets nothing', async (_, code, change) => {
    const { ref, destination } = await busTarget(change);
    expect(await world.tested(ref)).toMatchObject({ state: 'validating', code, actor: 'tenant' });
    expect(await sent(destination)).toEqual([]);
    const policy = policyToPaste(await world.target(ref), operator);
    expect(policy?.whole.Statement).toContainEqual(policy?.statement);
    putRole(destination, (published) => published);
    expect(await world.tested(ref)).toMatchObject({ outcome: 'verified', state: 'active', code: undefined });
  });

  test('waits until it exists', async () => {
    const { ref, name } = await busTarget();
    world.faults.add({ service: 'eventbridge', fault: 'not-found', resource: name });
    expect(await world.tested(ref)).toMatchObject({ state: 'validating', code: 'ResourceNotFoundException' });
    world.faults.clear();
    expect(await world.tested(ref)).toMatchObject({ state: 'active' });
  });

  test('is found by an event sent to it if the role may not describe it', async () => {
    const { ref, destination } = await busTarget(() => ({
      permissionPolicy: allowing('events:PutEvents'),
    }));
    expect(await world.tested(ref)).toMatchObject({ outcome: 'verified', state: 'active' });
    expect(await sent(destination)).toHaveLength(1);
  });

  test.each(['throttle', 'unavailable'] as const)('is tested later after %s', async (fault) => {
    const { ref } = await busTarget();
    world.faults.add({ service: 'eventbridge', fault });
    expect(await world.tested(ref)).toMatchObject({ outcome: 'not-now', code: undefined });
  });
});
