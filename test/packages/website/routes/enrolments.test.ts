import { describe, expect, test } from '@jest/globals';
import { Denied } from '#website';
import { SimulatedDevice } from '../../../../client/device/simulated-device.ts';
import { bodyOf } from '../../../../client/http.ts';
import { newUser, openChallenge } from '../../../contract/scenario.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { afterIntervalMs, confirmed, signedIn } from './support/story.ts';
import { TestWebsite, type TestWebsiteOptions } from './support/test-website.ts';
import type { Visitor } from './support/visitor.ts';

const stack = useSharedStack();

const addDevice = { action: 'add-device' };
const required = { status: 403, body: { code: 'confirmation-required' } };

const enrol = async (visitor: Visitor, body?: object) => await visitor.call('POST', '/omi/enrolments', body);

/** The website's calls that start an enrolment. */
const started = ({ calls }: TestWebsite): number =>
  calls.filter((call) => call === 'POST /omi/enrol/qr').length;

describe('an enrolment', () => {
  test('shows a link, waits and names the device', async () => {
    const website = new TestWebsite(stack);
    const visitor = website.visitor(newUser());
    const { status, body } = await enrol(visitor);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      link: expect.stringContaining('/enrol#v=1&api='),
      expiresAt: expect.any(String),
      expiresInMs: expect.any(Number),
    });
    const path = `/omi/enrolments/${String(body['id'])}`;
    expect((await visitor.call('GET', path)).body).toEqual({ status: 'waiting' });
    const phone = new SimulatedDevice({ name: 'My phone' });
    bodyOf(await phone.enrol(String(body['link'])));
    website.ahead += afterIntervalMs;
    const { deviceId } = phone.identity;
    const completed = {
      status: 'completed',
      device: { deviceId, name: 'My phone', platform: 'fcm', status: 'active' },
    };
    expect((await visitor.call('GET', path)).body).toEqual(completed);
    const { length } = website.calls;
    website.ahead += afterIntervalMs;
    expect((await visitor.call('GET', path)).body).toEqual(completed);
    expect(website.calls).toHaveLength(length);
  });

  test('shows the label of the account in the page and in the app', async () => {
    const accountLabel = ({ userId }: { userId: string }): string => `Anna · ${userId}`;
    const website = new TestWebsite(stack, { accountLabel });
    const userId = newUser();
    const { body } = await enrol(website.visitor(userId));
    expect(body).toMatchObject({ account: `Anna · ${userId}` });
    const enrolled = bodyOf(await new SimulatedDevice().enrol(String(body['link'])));
    expect(enrolled.account).toBe(`Anna · ${userId}`);
  });

  test('keeps the label when the website gives none', async () => {
    const website = new TestWebsite(stack, { accountLabel: () => undefined });
    const userId = newUser();
    bodyOf(await stack.website.setAccountLabel(userId, 'A former label'));
    const { body } = await enrol(website.visitor(userId));
    expect(body).not.toHaveProperty('account');
    const enrolled = bodyOf(await new SimulatedDevice().enrol(String(body['link'])));
    expect(enrolled.account).toBe('A former label');
  });

  test('reports a fault of the website if the label is unreadable', async () => {
    const website = new TestWebsite(stack, { accountLabel: () => ' ' });
    const { status } = await enrol(website.visitor(newUser()));
    expect(status).toBe(500);
    expect(website.errors).toMatchObject([{ code: 'invalid-request' }]);
  });

  test('asks the service at most once a second, and once for concurrent requests', async () => {
    const website = new TestWebsite(stack);
    const visitor = website.visitor(newUser());
    const { body } = await enrol(visitor);
    const path = `/omi/enrolments/${String(body['id'])}`;
    await visitor.call('GET', path);
    const { length } = website.calls;
    await Promise.all(Array.from({ length: 10 }, async () => await visitor.call('GET', path)));
    expect(website.calls).toHaveLength(length);
  });

  test('belongs to the session and user that started it', async () => {
    const website = new TestWebsite(stack);
    const visitor = website.visitor(newUser());
    const { body } = await enrol(visitor);
    const path = `/omi/enrolments/${String(body['id'])}`;
    for (const stranger of [
      website.visitor('mallory'),
      website.visitor(visitor.session.userId),
      website.visitor('mallory', visitor.session.id),
    ])
      expect(await stranger.call('GET', path)).toMatchObject({
        status: 404,
        body: { code: 'enrolment-not-found' },
      });
    expect((await visitor.call('GET', path)).status).toBe(200);
  });

  test('is refused if the website does not allow it', async () => {
    const enrolment = (_: Request, { userId }: { userId: string }) =>
      userId.startsWith('user-') ? undefined : new Denied('Call us.', { code: 'locked' });
    const website = new TestWebsite(stack, { enrolment });
    expect(await enrol(website.visitor('mallory'))).toMatchObject({ status: 403, body: { code: 'locked' } });
    expect(started(website)).toBe(0);
    expect((await enrol(website.visitor(newUser()))).status).toBe(201);
  });

  test.each(['[]', '{', '"a"', '{"confirmation":1}', '{"confirmation":null}'])(
    'refuses the body %s',
    async (body) => {
      const visitor = new TestWebsite(stack).visitor(newUser());
      const { url, headers } = visitor.request('POST', '/omi/enrolments');
      const answer = await visitor.send(new Request(url, { method: 'POST', headers, body }));
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
    },
  );
});

describe('the confirmation of an enrolment', () => {
  const only: TestWebsiteOptions = {
    enrolment: (_request, _session, { confirmed: isConfirmed }) =>
      isConfirmed ? undefined : new Denied('Confirm first.', { code: 'confirmation-required' }),
  };

  test('allows one further device', async () => {
    const story = await signedIn(stack, only);
    const { website, visitor } = story;
    expect(await enrol(visitor)).toMatchObject(required);
    const confirmation = await confirmed(story, addDevice);
    const answers = await Promise.all([1, 2, 3].map(async () => await enrol(visitor, { confirmation })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403, 403]);
    expect(await enrol(visitor, { confirmation })).toMatchObject(required);
    expect(started(website)).toBe(1);
  });

  test('is sent to the service, which may require it', async () => {
    const bodies: unknown[] = [];
    const story = await signedIn(stack, {
      through: async (fetch, input, init) => {
        bodies.push(init.body);
        return await fetch(input, init);
      },
    });
    const confirmation = await confirmed(story, addDevice);
    const [nonce] = story.website.nonces();
    await enrol(story.visitor, { confirmation });
    expect(bodies.at(-1)).toBe(JSON.stringify({ userId: story.visitor.session.userId, confirmation: nonce }));
  });

  test('cannot be that of another session or user', async () => {
    const story = await signedIn(stack);
    const { website, visitor } = story;
    const confirmation = await confirmed(story, addDevice);
    for (const stranger of [
      website.visitor(visitor.session.userId),
      website.visitor('mallory'),
      website.visitor('mallory', visitor.session.id),
    ])
      expect(await enrol(stranger, { confirmation })).toMatchObject(required);
    expect(started(website)).toBe(0);
    expect((await enrol(visitor, { confirmation })).status).toBe(201);
  });

  test('must be for this purpose', async () => {
    const story = await signedIn(stack);
    const payment = await confirmed(story);
    expect(await enrol(story.visitor, { confirmation: payment })).toMatchObject(required);
    const confirmation = await confirmed(story, addDevice);
    await expect(story.visitor.act(confirmation)).rejects.toMatchObject({ code: 'confirmation-mismatch' });
    expect((await enrol(story.visitor, { confirmation })).status).toBe(201);
    await expect(story.visitor.act(confirmation, addDevice)).rejects.toMatchObject({ name: 'Denied' });
  });

  test('must be recent', async () => {
    const { website, visitor, phone } = await signedIn(stack);
    const pending = await visitor.asked(addDevice);
    expect(await enrol(visitor, { confirmation: pending })).toMatchObject(required);
    await phone.deny(await openChallenge(phone));
    website.ahead += afterIntervalMs;
    expect(await enrol(visitor, { confirmation: pending })).toMatchObject(required);
    const old = await confirmed({ website, visitor, phone }, addDevice);
    website.ahead += 121_000;
    expect(await enrol(visitor, { confirmation: old })).toMatchObject(required);
    expect(await enrol(visitor, { confirmation: 'x' })).toMatchObject(required);
    expect(started(website)).toBe(0);
  });
});
