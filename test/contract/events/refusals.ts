import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem } from '../expectations.ts';
import { createdEvent, logEvent } from './event.ts';
import { record, storedWith } from './recorder.ts';

const detail = expect.stringMatching(/^expected \S/);
const at = (...pointers: string[]) => ({ errors: pointers.map((pointer) => ({ pointer, detail })) });

export function refusals(stack: TestStack): void {
  const tenantId = () => stack.file.tenants[0].tenantId;
  const created = (fields: object = {}) => createdEvent(tenantId(), fields);

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
}
