import { describe, expect, test } from '@jest/globals';
import { enrolDevice, openChallenge } from '../../../contract/scenario.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { TestWebsite } from './support/test-website.ts';

const stack = useSharedStack();

describe('the routes', () => {
  test('ask, report the state, and let the action happen', async () => {
    const website = new TestWebsite(stack);
    const phone = await enrolDevice(stack.website);
    const visitor = website.visitor(phone.identity.userId);
    const asked = await visitor.ask({ amount: '20' });
    expect(asked.status).toBe(201);
    const id = String(asked.body['id']);
    expect(asked.body).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      deviceName: phone.description.name,
      deviceId: phone.identity.deviceId,
      message: 'Pay 20 €?',
      status: 'pending',
      delivery: 'sent',
      expiresAt: expect.any(String),
      expiresInMs: expect.any(Number),
      interval: 1,
    });
    expect((await visitor.look(id)).body).toMatchObject({ id, status: 'pending', interval: 1 });
    await phone.confirm(await openChallenge(phone));
    website.ahead += 1000;
    expect((await visitor.look(id)).body).toEqual({ id, status: 'confirmed', expiresInMs: 0, interval: 1 });
    const consumed = await visitor.act(id);
    expect(consumed).toMatchObject({ message: 'Pay 20 €?', confirmation: { status: 'confirmed' } });
    expect(website.errors).toEqual([]);
  });
});
