import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { challengedDevice, enrolDevice, pushAndConfirm } from '../../contract/scenario.ts';
import { succeeded } from '../../contract/expectations.ts';
import { challengedWithPasskey } from '../../contract/user-verification/scene.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { dynamodbOf } from './tables.ts';

export function confirmations(stack: TestStack): void {
  const json = jsonOn(stack);
  const show = (...by: string[]): string[] => [
    ...['confirmation', 'show', '--tenant', stack.file.tenants[0].tenantId, ...by],
  ];

  test('finds one by nonce and by challenge id, and its evidence is valid', async () => {
    const device = await enrolDevice(stack.website);
    const { nonce, challengeId, messageHash } = await pushAndConfirm(stack.website, device);
    const shown = await json(...show('--nonce', nonce));
    expect(shown).toMatchObject({
      ...{ challengeId, messageHash, deviceId: device.identity.deviceId, userId: device.identity.userId },
      ...{ status: 'confirmed', delivery: 'sent' },
      evidence: { present: true, verified: true, faults: [] },
    });
    expect(await json(...show('--challenge', challengeId))).toEqual(shown);
  });

  test('proves that the user was verified', async () => {
    const { device, authenticator, sent, challenge } = await challengedWithPasskey(stack);
    const claims = { userVerification: authenticator.assert(challenge, 'confirm') };
    succeeded(await device.confirm(challenge, { claims }), 200);
    const shown = show('--challenge', sent.challengeId);
    expect(await json(...shown)).toMatchObject({
      userVerified: true,
      evidence: { verified: true, faults: [] },
    });
    const { x = '', y = '' } = device.publicJwk;
    const another = [x, y].map((coordinate) => Buffer.from(coordinate, 'base64url'));
    await tamper(stack, sent.challengeId, 'passkeyKey', another);
    expect(await json(...shown)).toMatchObject({ userVerified: true, evidence: { verified: false } });
  });

  test('finds no proof for a user verification added later', async () => {
    const { device, sent, challenge } = await challengedWithPasskey(stack);
    succeeded(await device.confirm(challenge), 200);
    await tamper(stack, sent.challengeId, 'userVerified', true);
    const { evidence } = await json(...show('--challenge', sent.challengeId));
    expect(evidence).toMatchObject({ verified: false });
  });

  test('never shows message or nonce', async () => {
    const { sent } = await challengedDevice(stack.website, { message: 'Pay 12.50 € to Eve?' });
    const outputs = [
      await omiOn(stack)(show('--challenge', sent.challengeId)),
      await omiOn(stack)(['--json', ...show('--challenge', sent.challengeId)]),
    ];
    for (const { out, err } of outputs) {
      expect(out).toContain('pending');
      expect(out + err).not.toContain(sent.nonce);
      expect(out + err).not.toContain('Eve');
    }
  });

  test.each<[string, string, string]>([
    ['another message', 'message', 'Pay 9,999 € to Eve?'],
    ['another user', 'userId', 'eve'],
    ['another outcome', 'status', 'denied'],
  ])('detects that %s in a record no longer matches its evidence', async (_, field, value) => {
    const device = await enrolDevice(stack.website);
    const { challengeId } = await pushAndConfirm(stack.website, device);
    await tamper(stack, challengeId, field, value);
    const { evidence } = await json(...show('--challenge', challengeId));
    expect(evidence).toMatchObject({ present: true, verified: false });
    const { out } = await omiOn(stack)(show('--challenge', challengeId));
    expect(out).toContain('NOT VALID');
  });
}

async function tamper(stack: TestStack, challengeId: string, field: string, value: unknown): Promise<void> {
  await dynamodbOf(stack).send(
    new UpdateCommand({
      TableName: localTables.confirmations,
      Key: { pk: challengeId },
      UpdateExpression: 'SET #field = :value',
      ExpressionAttributeNames: { '#field': field },
      ExpressionAttributeValues: { ':value': value },
    }),
  );
}
