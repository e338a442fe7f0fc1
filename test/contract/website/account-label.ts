import { expect, test } from '@jest/globals';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { storedIn } from '../../support/stored-events.ts';
import type { TestStack } from '../../support/stack.ts';
import { succeeded } from '../expectations.ts';
import { newUser, openChallenge, push, pushAndConfirm } from '../scenario.ts';

const label = 'Anna Ångström · …4711';

export function accountLabel(stack: TestStack): void {
  const enrol = async (userId: string, withLabel?: string) => {
    const { qr } = succeeded(await stack.website.startEnrolment(userId, undefined, withLabel), 201);
    const device = new SimulatedDevice();
    return { device, qr, enrolled: succeeded(await device.enrol(qr), 201) };
  };
  const set = async (userId: string, accountLabel: unknown) => {
    const path = `/omi/users/${userId}/label`;
    return await stack.website.call({ method: 'PUT', path, json: { accountLabel } }, v.undefined_());
  };
  const shownOn = async (device: SimulatedDevice) => {
    await push(stack.website, device);
    const challenge = await openChallenge(device);
    succeeded(await device.confirm(challenge), 200);
    return challenge;
  };

  test("becomes the user's label for all devices when its code is used", async () => {
    const userId = newUser();
    const { device: first, enrolled } = await enrol(userId);
    expect(enrolled).not.toHaveProperty('account');
    expect(await shownOn(first)).not.toHaveProperty('account');
    const second = await enrol(userId, label);
    expect(second.enrolled).toMatchObject({ account: label });
    for (const device of [first, second.device])
      expect(await shownOn(device)).toMatchObject({ tenant: stack.file.tenants[0].name, account: label });
  });

  test('applies from the first enrolment of a user without a device', async () => {
    const userId = newUser();
    succeeded(await set(userId, label), 204);
    expect((await enrol(userId)).enrolled).toMatchObject({ account: label });
    const nobody = newUser();
    succeeded(await set(nobody, null), 204);
    expect((await enrol(nobody)).enrolled).not.toHaveProperty('account');
  });

  test('appears neither in the QR code nor in events', async () => {
    const unique = `Anna · ${newUser()}`;
    const { device, qr } = await enrol(newUser(), unique);
    const { challengeId } = await pushAndConfirm(stack.website, device);
    succeeded(await set(device.identity.userId, `Renamed · ${unique}`), 204);
    succeeded(await device.remove(), 204);
    expect(decodeURIComponent(qr)).not.toContain(unique);
    const { region, endpoints } = stack.file.aws;
    const credentials = { accessKeyId: 'TEST', secretAccessKey: 'test' };
    const dynamodb = new DynamoDBClient({ region, endpoint: endpoints.dynamodb, credentials });
    const client = DynamoDBDocumentClient.from(dynamodb);
    const { tenantId, deviceId } = device.identity;
    const events = await Promise.all(
      [deviceId, challengeId].map(
        async (aggregate) => await storedIn(client, `${tenantId}#${aggregate}`, localTables.events),
      ),
    );
    expect(events.map(({ length }) => length)).toEqual([2, 2]);
    expect(events.flat().join()).not.toContain(unique);
  });
}
