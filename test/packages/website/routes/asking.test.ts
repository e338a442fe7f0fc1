import { describe, expect, test } from '@jest/globals';
import { Denied, OmiError } from '#website';
import { bodyOf } from '../../../../client/http.ts';
import { enrolDevice, newUser, openChallenge } from '../../../contract/scenario.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { afterIntervalMs, signedIn } from './support/story.ts';
import { TestWebsite } from './support/test-website.ts';

const stack = useSharedStack();

describe('the request for a confirmation', () => {
  test('is refused for a user without a device', async () => {
    const visitor = new TestWebsite(stack).visitor(newUser());
    expect(await visitor.ask()).toMatchObject({
      status: 404,
      body: {
        code: 'device-not-found',
        detail: 'The user has no such device, or none at all: offer to add one.',
      },
    });
  });

  test('lets a user with several devices choose one', async () => {
    const { visitor, phone } = await signedIn(stack);
    const { userId } = visitor.session;
    const tablet = await enrolDevice(stack.website, userId, { name: 'My tablet' });
    expect(await visitor.ask()).toMatchObject({ status: 409, body: { code: 'device-choice-required' } });
    const { body } = await visitor.call('GET', '/omi/devices');
    const { deviceId } = tablet.identity;
    expect(body).toEqual({
      devices: [
        { deviceId, name: 'My tablet', platform: 'fcm', status: 'active' },
        expect.objectContaining({ deviceId: phone.identity.deviceId }),
      ],
    });
    const asked = await visitor.call('POST', `/omi/confirmations?device=${deviceId}`, { amount: '20' });
    expect(asked).toMatchObject({ status: 201, body: { deviceId, deviceName: 'My tablet' } });
    await openChallenge(tablet);
  });

  test('tells that the device may be the browser of the page, whose name it has', async () => {
    const { visitor, phone } = await signedIn(stack);
    const name = 'Linux, Firefox';
    const { deviceId } = (await enrolDevice(stack.website, phone.identity.userId, { name })).identity;
    const ask = async (userAgent: string) =>
      await visitor.call('POST', `/omi/confirmations?device=${deviceId}`, {}, { 'user-agent': userAgent });
    const { body: here } = await ask('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0');
    expect(here).toMatchObject({ deviceName: name, perhapsHere: true });
    await visitor.withdraw(String(here['id']));
    const { body: elsewhere } = await ask('Mozilla/5.0 (Macintosh; rv:140.0) Firefox/140.0');
    expect(elsewhere).toMatchObject({ deviceName: name });
    expect(elsewhere).not.toHaveProperty('perhapsHere');
  });

  test('names the device from what it knows, and loads a new one', async () => {
    const { website, visitor, phone } = await signedIn(stack);
    const lists = (): number => website.calls.filter((call) => call.endsWith('/devices')).length;
    await visitor.withdraw(await visitor.asked());
    await visitor.withdraw(await visitor.asked());
    expect(lists()).toBe(1);
    const tablet = await enrolDevice(stack.website, phone.identity.userId, { name: 'My tablet' });
    const { deviceId } = tablet.identity;
    const { body } = await visitor.call('POST', `/omi/confirmations?device=${deviceId}`, { amount: '20' });
    expect(body).toMatchObject({ deviceName: 'My tablet' });
    expect(lists()).toBe(2);
  });

  test('names the device without a call, if the page has listed the devices', async () => {
    const { website, visitor } = await signedIn(stack);
    await visitor.call('GET', '/omi/devices');
    const before = website.calls.length;
    await visitor.withdraw(await visitor.asked());
    expect(website.calls.slice(before).filter((call) => call.endsWith('/devices'))).toEqual([]);
  });

  test.each([
    ['of another user', async () => (await enrolDevice(stack.website)).identity.deviceId],
    ['with a path as id', async () => await Promise.resolve('..')],
    ['with an empty id', async () => await Promise.resolve('')],
  ])('finds no device %s', async (_, device) => {
    const { website, visitor } = await signedIn(stack);
    const path = `/omi/confirmations?device=${encodeURIComponent(await device())}`;
    const answer = await visitor.call('POST', path, { amount: '20' });
    expect(answer).toMatchObject({ status: 404, body: { code: 'device-not-found' } });
    const pushes = website.calls.filter((call) => call.startsWith('POST') && !call.includes('/device/'));
    expect(pushes).toEqual([]);
  });

  test('is refused while a question is open, or after too many', async () => {
    const { visitor, phone } = await signedIn(stack);
    await visitor.asked();
    const open = await visitor.ask();
    expect(open).toMatchObject({ status: 409, body: { code: 'confirmation-pending' } });
    expect(Number(open.headers.get('retry-after'))).toBeGreaterThan(60);
    for (let times = 1; times < 5; times += 1) {
      await phone.confirm(await openChallenge(phone));
      await visitor.asked();
    }
    await phone.confirm(await openChallenge(phone));
    const often = await visitor.ask();
    expect(often).toMatchObject({ status: 429, body: { code: 'too-many-notifications' } });
    expect(Number(often.headers.get('retry-after'))).toBeGreaterThan(60);
  });

  test.each([
    ['returns', () => new Denied('Your account is locked.')],
    [
      'throws',
      () => {
        throw new Denied('Your account is locked.');
      },
    ],
  ])('is refused when the website %s Denied', async (_, message) => {
    const { website, visitor } = await signedIn(stack, { message });
    const { status, body } = await visitor.ask();
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { code: 'denied', detail: 'Your account is locked.' },
    });
    expect(website.calls).toEqual([]);
    expect(website.errors).toEqual([]);
  });

  test.each([
    ['https://app.example.org', 'https://app.example.org/#/challenge/'],
    ['https://app.example.org/', 'https://app.example.org/#/challenge/'],
  ])('leads to the request in the app at %s, without the nonce', async (appLink, start) => {
    const { visitor, phone } = await signedIn(stack, { appLink });
    const { body, text } = await visitor.ask();
    const { challengeId } = await openChallenge(phone);
    expect(body['appUrl']).toBe(`${start}${challengeId}`);
    expect(text).not.toContain('nonce');
  });

  test('withdraws a question whose page was left before it got the answer', async () => {
    const page = new AbortController();
    const { website, visitor, phone } = await signedIn(stack, {
      through: async (fetch, input, init) => {
        const response = await fetch(input, init);
        page.abort();
        return response;
      },
    });
    const request = visitor.request('POST', '/omi/confirmations', { amount: '20' });
    await visitor.send(new Request(request, { signal: page.signal }));
    expect(website.calls).toContainEqual(expect.stringMatching(/^POST/));
    expect(bodyOf(await phone.challenges()).challenges).toEqual([]);
    expect(website.errors).toEqual([]);
  });

  test('leads to no app without its link', async () => {
    const { visitor } = await signedIn(stack);
    expect((await visitor.ask()).body).not.toHaveProperty('appUrl');
  });

  test('shows the number once with number matching', async () => {
    const { visitor } = await signedIn(stack, {
      appLink: 'https://app.example.org',
      through: async (fetch, input, init) => {
        const response = await fetch(input, init);
        if (init.method !== 'POST' || response.status !== 202) return response;
        return Response.json({ ...((await response.json()) as object), matchCode: '42' }, { status: 202 });
      },
    });
    const { body } = await visitor.ask();
    expect(body).toMatchObject({ matchCode: '42' });
    // The page must stay in view.
    expect(body).not.toHaveProperty('appUrl');
    expect((await visitor.look(String(body['id']))).text).not.toContain('42"');
  });
});

describe('a fault', () => {
  test('is reported to the website, and not to the page', async () => {
    const fault = new Error('database password wrong');
    const { website, visitor } = await signedIn(stack, {
      message: () => {
        throw fault;
      },
    });
    const { status, body, text } = await visitor.ask();
    expect({ status, body }).toMatchObject({ status: 500, body: { code: 'internal-error' } });
    expect(text).not.toContain('password');
    expect(website.errors).toEqual([fault]);
  });

  test('is attributed to the website if the service refuses the message', async () => {
    const { website, visitor } = await signedIn(stack, { message: () => '\u0007' });
    expect(await visitor.ask()).toMatchObject({ status: 500, body: { code: 'internal-error' } });
    expect(website.errors).toEqual([expect.objectContaining({ code: 'invalid-request' })]);
  });

  test('is reported as temporary if it is of the service', async () => {
    let isDown = false;
    const { website, visitor } = await signedIn(stack, {
      through: async (fetch, input, init) => {
        if (isDown) throw new TypeError('fetch failed');
        return await fetch(input, init);
      },
    });
    const id = await visitor.asked();
    website.ahead += afterIntervalMs;
    isDown = true;
    const down = await visitor.look(id);
    expect(down).toMatchObject({ status: 503, body: { code: 'temporarily-unavailable' } });
    expect(down.headers.get('retry-after')).toBe('2');
    expect(website.errors).toEqual([expect.any(OmiError)]);
    isDown = false;
    website.ahead += afterIntervalMs;
    expect((await visitor.look(id)).body).toMatchObject({ status: 'pending' });
  });

  test("changes no answer if it is of the website's own report", async () => {
    const { visitor } = await signedIn(stack, {
      message: () => {
        throw new Error('one');
      },
      onError: () => {
        throw new Error('two');
      },
    });
    expect((await visitor.ask()).status).toBe(500);
  });
});
