import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { BrowserSubscription } from '../../support/browser-subscription.ts';
import { StaffCaller } from '../../support/staff.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { giveUp } from '../../support/give-up.ts';
import { TenantConsole } from '../exports-api/tenant-console.ts';
import { openBank } from '../further-devices/bank.ts';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import { localQueues } from '../../../tools/local/resources/queues.ts';
import {
  enrolDevice,
  openChallenge,
  push,
  pushAndConfirm,
  pushAndDeny,
  startEnrolment,
} from '../scenario.ts';
import { enrolWebDevice } from '../web-device/enrol.ts';
import { question } from '../website/groups.ts';
import { userPath } from '../staff/desk.ts';
import { deleteEndpoint, disableEndpoint } from './operator.ts';

const olgaOf = async ({ file }: TestStack): Promise<StaffCaller> => await StaffCaller.of(file, 'olga');

/** The two ways in which the help desk pushes, each a Lambda of its own. */
const asks = (olga: StaffCaller, tenantId: string) => [
  async ({ identity }: SimulatedDevice) =>
    succeeded(await olga.post(`/users/${identity.userId}/recovery`, { tenantId }), 200),
  async ({ identity }: SimulatedDevice) =>
    succeeded(await olga.post(`/users/${identity.userId}/checks`, { tenantId }), 202),
];

async function users(stack: TestStack): Promise<void> {
  const olga = await olgaOf(stack);
  const [{ tenantId }] = stack.file.tenants;
  const device = await enrolDevice(stack.website);
  const { userId } = device.identity;
  await pushAndDeny(stack.website, device, 'not_me');
  const limited = await olga.post(`/users/${userId}/checks`, { tenantId });
  expect(limited.status).toBe(429);
  for (const act of ['reset-limits', 'suspend', 'unsuspend'])
    succeeded(await olga.post(`/users/${userId}/acts`, { tenantId, act }), 204);
  succeeded(await olga.get(userPath(userId, tenantId)), 200);
  const check = succeeded(await olga.post(`/users/${userId}/checks`, { tenantId }), 202);
  const path = `/users/${userId}/checks/${String(check['checkId'])}`;
  succeeded(await olga.get(`${path}?tenantId=${tenantId}`), 200);
  const { message } = await openChallenge(device);
  const number = /\d{3} \d{3}/.exec(message)?.[0] ?? '';
  succeeded(await olga.post(`${path}/number`, { tenantId, number }), 200);
  succeeded(await olga.get('/tenants'), 200);
  succeeded(await olga.get(`/tenants/${tenantId}`), 200);
}

/** Devices whose endpoints have trouble, and a browser. */
async function pushes(stack: TestStack): Promise<void> {
  const olga = await olgaOf(stack);
  const [{ tenantId }] = stack.file.tenants;
  for (const ask of asks(olga, tenantId)) {
    for (const trouble of [disableEndpoint, deleteEndpoint]) {
      const device = await enrolDevice(stack.website);
      await pushAndConfirm(stack.website, device);
      await trouble(stack, device);
      await ask(device);
    }
    const subscription = new BrowserSubscription(`${stack.file.webPushUrl}/${randomUUID()}`).toJSON();
    await ask(await enrolWebDevice(stack.website, { subscription }));
  }
}

/** Of users with other devices, which are told, and with open questions, which end. */
async function removals(stack: TestStack): Promise<void> {
  const olga = await olgaOf(stack);
  const { tenantId, website } = await openBank(stack, 'notify');
  const remove = async ({ identity: { userId, deviceId } }: SimulatedDevice) =>
    succeeded(await olga.delete(`/users/${userId}/devices/${deviceId}?tenantId=${tenantId}`), 204);
  const lost = await enrolDevice(website);
  const { userId } = lost.identity;
  const subscription = new BrowserSubscription(`${stack.file.webPushUrl}/${randomUUID()}`).toJSON();
  await enrolWebDevice(website, { subscription }, userId);
  await enrolDevice(website, userId);
  await push(website, lost);
  await remove(lost);
  const [member, other] = [await enrolDevice(website), await enrolDevice(website)];
  succeeded(await website.requestGroup(question([member, other], 2)), 202);
  await remove(member);
}

async function exports(stack: TestStack): Promise<void> {
  const olga = await olgaOf(stack);
  const tenant = await TenantConsole.open(stack);
  await tenant.activateStream();
  const path = `/tenants/${tenant.tenantId}/exports/public`;
  for (const act of ['pause', 'resume']) succeeded(await olga.post(`${path}/acts`, { act }), 200);
  succeeded(await olga.post(`${path}/test`), 202);
  const range = { from: new Date(Date.now() - 60_000).toISOString(), to: new Date().toISOString() };
  const { replayId } = succeeded(await olga.post(`${path}/replays`, range), 202);
  succeeded(await olga.get(`${path}/replays/${String(replayId)}`), 200);
  const unsent = { service: 'sqs', fault: 'access-denied', resource: localQueues.replays } as const;
  await withFault(stack.file, unsent, async () => {
    expect((await olga.post(`${path}/replays`, range)).status).toBe(503);
  });
  await giveUp(stack, tenant.tenantId, [{ cause: 'errors', from: Date.now(), to: Date.now() + 60_000 }]);
  succeeded(await olga.post(`${path}/replays`, { givenUp: true }), 202);
  expectProblem(await olga.post(`${path}/replays`, { givenUp: true }), 409, 'replay-running');
  succeeded(await olga.get('/exports?state=active'), 200);
}

/** The website uses what the help desk allowed. */
async function recoveries(stack: TestStack): Promise<void> {
  const olga = await olgaOf(stack);
  const { tenantId, website } = await openBank(stack, 'confirm');
  const { userId } = (await enrolDevice(website)).identity;
  succeeded(await olga.post(`/users/${userId}/recovery`, { tenantId }), 200);
  await startEnrolment(website, userId);
}

/** What the help desk does. */
export const staffPaths = [users, pushes, removals, recoveries, exports];
