import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { challengeView } from '../../../core/confirmations/confirmation.ts';
import { acceptedResponse, confirmationResponse } from '../../../core/http/confirmation-responses.ts';
import { defaultSettings, type TenantSettings } from '../../../core/tenants/tenant.ts';
import { PushWorld } from '../../support/push-world.ts';

const now = Date.UTC(2026, 0, 1);
let client: DynamoDBDocumentClient;
beforeAll(async () => {
  client = await PushWorld.database();
});

async function asked(numberMatching: TenantSettings['numberMatching']) {
  const world = new PushWorld(client, { ...defaultSettings, numberMatching });
  await world.addDevice('phone', now);
  const confirmation = await world.send({ nonce: 'nonce-with-number' }, now);
  const { challengeId, messageHash } = confirmation;
  const answer = (number: string | undefined, decision: 'confirm' | 'deny' = 'confirm', jws = `${number}`) =>
    world.answer('phone', { challengeId, messageHash, decision, number }, jws, now + 1);
  return { world, confirmation, code: confirmation.matchNumbers?.code ?? '', answer };
}

const bodyOf = ({ body }: { body?: string | undefined }) => JSON.parse(body ?? '') as Record<string, unknown>;

describe.each(['pick', 'type'] as const)('number matching %s', (mode) => {
  test('returns the number to the website only in the response to the POST', async () => {
    const { world, confirmation, code } = await asked(mode);
    expect(bodyOf(acceptedResponse({ confirmation, repeated: false }, now))['matchCode']).toBe(code);
    const again = await world.ask({ nonce: 'nonce-with-number' }, now + 5);
    expect(bodyOf(acceptedResponse(again, now))).toMatchObject({ matchCode: code, repeated: true });
    expect(bodyOf(confirmationResponse(confirmation, now))).not.toHaveProperty('matchCode');
    const { matchNumbers } = challengeView(confirmation, now);
    expect(matchNumbers?.length).toBe(mode === 'pick' ? 3 : undefined);
  });

  test('confirms with the right number', async () => {
    const { answer, code } = await asked(mode);
    expect(await answer(code)).toBe('confirmed');
  });

  test('rejects an answer without the number, and stays pending', async () => {
    const { answer, code } = await asked(mode);
    await expect(answer(undefined)).rejects.toMatchObject({ code: 'number-required' });
    expect(await answer(code)).toBe('confirmed');
  });

  test('fails with one wrong number', async () => {
    const { world, answer, code } = await asked(mode);
    const wrong = code.replace(/./, (digit) => String((Number(digit) + 1) % 10));
    await expect(answer(wrong)).rejects.toMatchObject({ code: 'wrong-number' });
    expect(await world.poll('nonce-with-number', now + 2)).toMatchObject({
      status: 'failed',
      reason: 'wrong_number',
    });
    await expect(answer(code)).rejects.toMatchObject({ code: 'already-decided' });
    const events = await world.events((await world.poll('nonce-with-number', now))?.challengeId ?? '');
    expect(events.at(-1)).toMatchObject({
      metadata: { type: 'PushNotificationFailedEvent' },
      payload: { reason: 'wrong_number' },
    });
  });

  test('requires no number to deny', async () => {
    const { answer } = await asked(mode);
    expect(await answer(undefined, 'deny')).toBe('denied');
  });
});

test('a number is ignored without number matching', async () => {
  const { answer } = await asked('off');
  expect(await answer('12')).toBe('confirmed');
});
