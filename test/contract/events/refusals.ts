import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults, expectProblem, succeeded } from '../expectations.ts';
import { createdEvent, logEvent } from './event.ts';
import { record, storedWith } from './recorder.ts';

const detail = expect.stringMatching(/^expected \S/);
const at = (...pointers: string[]) => ({ errors: pointers.map((pointer) => ({ pointer, detail })) });

export function refusals(stack: TestStack): void {
  const tenantId = () => stack.file.tenants[0].tenantId;
  const created = (fields: object = {}) => createdEvent(tenantId(), fields);

  test('is rejected whole if an event has an unknown type or version, and the answer lists the known ones', async () => {
    const good = created();
    const answer = await record(stack.website, [
      good,
      created({ type: 'OrderPaidEvent' }),
      created({ payloadVersion: '2.0' }),
    ]);
    expectFaults(answer, '/events/1/metadata/type', '/events/2/metadata/payloadVersion');
    expect(answer.text).toMatch(/expected one of UserBlockedEvent, UserCreatedEvent, UserSignedInEvent/);
    expect(await storedWith(stack, good)).toEqual([]);
  });

  test("is rejected with another tenant's events", async () => {
    const own = created();
    const call = [
      own,
      created({ tenantId: stack.file.tenants[1].tenantId }),
      created({ tenantId: randomUUID() }),
    ];
    const answer = await record(stack.website, call);
    expectProblem(
      answer,
      403,
      'wrong-tenant',
      at('/events/1/metadata/tenantId', '/events/2/metadata/tenantId'),
    );
    expect(await storedWith(stack, own)).toEqual([]);
  });

  test('is rejected with types that only the service records, in both categories', async () => {
    const own = created();
    const call = [
      created({ type: 'PushNotificationConfirmedEvent' }),
      own,
      logEvent(tenantId(), {}, { type: 'UserDeviceRegisteredEvent' }),
    ];
    const answer = await record(stack.website, call);
    expectProblem(answer, 403, 'reserved-type', at('/events/0/metadata/type', '/events/2/metadata/type'));
    expect(await storedWith(stack, own)).toEqual([]);
  });

  test('is rejected if a known id comes with other content in the same aggregate', async () => {
    const known = created();
    succeeded(await record(stack.website, [known]), 202);
    const fresh = created({ aggregateId: known.metadata.aggregateId });
    const answer = await record(stack.website, [fresh, { ...known, payload: { userId: 'bob' } }]);
    expectProblem(answer, 409, 'event-id-already-used', at('/events/1/metadata/eventId'));
    expect(await storedWith(stack, known)).toEqual([JSON.stringify(known)]);

    const elsewhere = created({ eventId: known.metadata.eventId });
    expect(succeeded(await record(stack.website, [elsewhere]), 202)).toEqual({ accepted: 1 });
  });
}
