/** The service itself answers each vector as the vector says. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ServiceUnderTest } from './service-under-test.ts';
import { isGood, messageFile, messageKinds } from './vectors.ts';

let running: Awaited<ReturnType<typeof ServiceUnderTest.start>>;

beforeAll(async () => {
  running = await ServiceUnderTest.start(messageFile('user-verification'));
});
afterAll(async () => await running.stop());

describe.each(messageKinds)('a message of the kind %s, handled as its vector states,', (kind) => {
  const file = messageFile(kind);

  test.each(file.vectors.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
    const { status, body } = await running.service.answer(kind, file, vector);
    const { body: expected, ...refusal } = vector.expected;
    if (isGood(vector))
      expect({ status, body }).toEqual({ status: vector.expected.status, body: withNewIds(expected) });
    else expect({ ...body, status }).toMatchObject(refusal);
  });
});

/** The service makes a new id and a receipt for each device. */
const withNewIds = (expected: Record<string, unknown> | undefined) =>
  expected && 'deviceId' in expected
    ? { ...expected, deviceId: expect.any(String), receipt: expect.any(String) }
    : expected;
