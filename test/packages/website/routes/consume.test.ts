import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Denied } from '#website';
import { isSameQuestion } from '../../../../packages/website/src/routes/question.ts';
import { openChallenge } from '../../../contract/scenario.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { slowStore } from './support/slow-store.ts';
import { afterIntervalMs, confirmed, signedIn } from './support/story.ts';
import { isPoll } from './support/test-website.ts';

const stack = useSharedStack();

const denied = (code: string) => ({ name: 'Denied', code, status: 403 });

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

function withTwo(id: string): FormData {
  const form = formOf({ amount: '20', 'omi-confirmation': id });
  form.append('omi-confirmation', id);
  return form;
}

describe('consume', () => {
  test('allows the action once', async () => {
    const story = await signedIn(stack);
    const { visitor, website } = story;
    const id = await confirmed(story);
    const { message, confirmation } = await visitor.act(id);
    expect(message).toBe('Pay 20 €?');
    expect(confirmation).toMatchObject({ status: 'confirmed', userId: visitor.session.userId });
    expect(website.nonces()).toContain(confirmation.nonce);
    expect(confirmation.evidence).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    await expect(visitor.act(id)).rejects.toMatchObject(denied('confirmation-unknown'));
    await expect(visitor.look(id)).resolves.toMatchObject({ status: 404 });
    website.ahead += afterIntervalMs;
    await expect(visitor.act(id)).rejects.toMatchObject(denied('confirmation-unknown'));
  });

  test('allows the action for exactly one of many concurrent requests', async () => {
    const story = await signedIn(stack, { store: slowStore() });
    const id = await confirmed(story);
    const all = await Promise.allSettled(Array.from({ length: 20 }, async () => await story.visitor.act(id)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of all)
      if (result.status === 'rejected') expect(result.reason).toMatchObject(denied('confirmation-unknown'));
  });

  test('stays used when a poll overlaps', async () => {
    const [asked, release] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const story = await signedIn(stack, {
      through: async (fetch, input, init) => {
        const response = await fetch(input, init);
        if (!isPoll(input)) return response;
        asked.resolve(undefined);
        await release.promise;
        return response;
      },
    });
    const { website, visitor, phone } = story;
    const id = await visitor.asked();
    await phone.confirm(await openChallenge(phone));
    website.ahead += afterIntervalMs;
    const poll = visitor.look(id);
    await asked.promise;
    website.ahead += afterIntervalMs;
    // Another server of the website has the same store, and does not know of the poll.
    const other = website.another();
    await expect(other.visitor(visitor.session.userId, visitor.session.id).act(id)).resolves.toBeDefined();
    release.resolve(undefined);
    await poll;
    await expect(visitor.act(id)).rejects.toMatchObject(denied('confirmation-unknown'));
    await expect(visitor.look(id)).resolves.toMatchObject({ status: 404 });
  });

  test.each([
    ['amount', { amount: '2000' }],
    ['spelling of the amount', { amount: '20.00' }],
    ['action', { action: 'add-device' }],
  ])('refuses another %s than the user confirmed, and the right one still works', async (_, fields) => {
    const story = await signedIn(stack);
    const id = await confirmed(story, { amount: '20' });
    await expect(story.visitor.act(id, fields)).rejects.toMatchObject(denied('confirmation-mismatch'));
    await expect(story.visitor.act(id, { amount: '20' })).resolves.toBeDefined();
  });

  test('refuses an action that the website denies meanwhile', async () => {
    const story = await signedIn(stack);
    const id = await confirmed(story);
    const answer = story.visitor.act(id, { action: 'forbidden' });
    await expect(answer).rejects.toMatchObject({ ...denied('denied'), message: 'Your account is locked.' });
  });

  test('takes the form of a server action, and reads it as the page sent it: without files', async () => {
    let read = '';
    const story = await signedIn(stack, {
      message: async (request) => {
        read = await request.text();
        return 'Pay 20 €?';
      },
    });
    const id = await confirmed(story);
    const form = formOf({ amount: '20', to: 'Zoë', 'omi-confirmation': id });
    form.set('invoice', new Blob(['Pay 9000 €']), 'invoice.txt');
    const { message } = await story.website.routes.consume(form, story.visitor.session);
    expect(message).toBe('Pay 20 €?');
    expect(read).toBe(`amount=20&to=Zo%C3%AB&omi-confirmation=${id}`);
  });

  test.each([
    [
      'another amount',
      'confirmation-mismatch',
      (id: string) => formOf({ amount: '2000', 'omi-confirmation': id }),
    ],
    ['no confirmation', 'confirmation-missing', () => formOf({ amount: '20' })],
    ['a confirmation twice', 'confirmation-missing', (id: string) => withTwo(id)],
  ])('refuses the form of a server action with %s: %s', async (_, code, formWith) => {
    const story = await signedIn(stack);
    const id = await confirmed(story);
    const { routes } = story.website;
    await expect(routes.consume(formWith(id), story.visitor.session)).rejects.toMatchObject(denied(code));
    await expect(routes.consume(formWith(id), undefined)).rejects.toMatchObject({ code: 'signed-out' });
    await expect(story.visitor.act(id)).resolves.toBeDefined();
  });

  test('compares the purpose as well', async () => {
    let purpose: 'add-device' | 'remove-device' | undefined = 'add-device';
    const story = await signedIn(stack, { message: () => ({ message: 'Change your devices?', purpose }) });
    const id = await confirmed(story);
    for (const other of ['remove-device', undefined] as const) {
      purpose = other;
      await expect(story.visitor.act(id)).rejects.toMatchObject(denied('confirmation-mismatch'));
    }
    purpose = 'add-device';
    await expect(story.visitor.act(id)).resolves.toBeDefined();
  });

  test('compares the device to remove as well', async () => {
    let subjectDeviceId = '';
    const story = await signedIn(stack, {
      message: () => ({ message: 'Remove your phone?', purpose: 'remove-device' as const, subjectDeviceId }),
    });
    const own = story.phone.identity.deviceId;
    subjectDeviceId = own;
    const id = await confirmed(story);
    subjectDeviceId = randomUUID();
    await expect(story.visitor.act(id)).rejects.toMatchObject(denied('confirmation-mismatch'));
    subjectDeviceId = own;
    await expect(story.visitor.act(id)).resolves.toBeDefined();
  });

  test('refuses a confirmation older than 2 minutes, by the time of the decision', async () => {
    const story = await signedIn(stack);
    const id = await confirmed(story);
    story.website.ahead += 120_000;
    await expect(story.visitor.act(id)).rejects.toMatchObject(denied('confirmation-too-old'));
    story.website.ahead -= 10_000;
    await expect(story.visitor.act(id)).resolves.toBeDefined();
  });

  test("uses the website's clock for the age, which may differ from the service's", async () => {
    const story = await signedIn(stack);
    story.website.ahead += 600_000;
    await expect(story.visitor.act(await confirmed(story))).resolves.toBeDefined();
  });

  test('refuses a pending confirmation', async () => {
    const { visitor } = await signedIn(stack);
    const id = await visitor.asked();
    await expect(visitor.act(id)).rejects.toMatchObject(denied('not-confirmed'));
  });

  test('asks the service itself if the page did not poll', async () => {
    const { website, visitor, phone } = await signedIn(stack);
    const id = await visitor.asked();
    await phone.confirm(await openChallenge(phone));
    website.ahead += afterIntervalMs;
    await expect(visitor.act(id)).resolves.toBeDefined();
  });

  test('refuses a denied confirmation', async () => {
    const { website, visitor, phone } = await signedIn(stack);
    const id = await visitor.asked();
    await phone.deny(await openChallenge(phone), 'not_me');
    website.ahead += afterIntervalMs;
    await expect(visitor.act(id)).rejects.toMatchObject(denied('not-confirmed'));
    await expect(visitor.look(id)).resolves.toMatchObject({ body: { status: 'denied', reason: 'not_me' } });
  });

  test('refuses a withdrawn confirmation', async () => {
    const { website, visitor } = await signedIn(stack);
    const id = await visitor.asked();
    expect((await visitor.withdraw(id)).status).toBe(204);
    await expect(visitor.act(id)).rejects.toMatchObject(denied('not-confirmed'));
    website.ahead += afterIntervalMs;
    await expect(visitor.act(id)).rejects.toMatchObject(denied('not-confirmed'));
  });

  test.each(['expired', 'cancelled', 'failed'])(
    'refuses a confirmation that is %s, whatever else it has',
    async (status) => {
      let isOver = false;
      const { website, visitor, phone } = await signedIn(stack, {
        through: async (fetch, input, init) => {
          const response = await fetch(input, init);
          if (!isOver || !isPoll(input)) return response;
          return Response.json({ ...((await response.json()) as object), status });
        },
      });
      const id = await visitor.asked();
      await phone.confirm(await openChallenge(phone));
      isOver = true;
      website.ahead += afterIntervalMs;
      await expect(visitor.act(id)).rejects.toMatchObject(denied('not-confirmed'));
      await expect(visitor.look(id)).resolves.toMatchObject({ body: { status } });
    },
  );
});

describe('the id of a confirmation', () => {
  const fields = { amount: '20' };

  test('may be in a form', async () => {
    const story = await signedIn(stack);
    const id = await confirmed(story);
    const body = new URLSearchParams({ ...fields, 'omi-confirmation': id });
    const request = new Request('https://bank.example/pay', { method: 'POST', body });
    await expect(story.website.routes.consume(request, story.visitor.session)).resolves.toBeDefined();
    await expect(request.text()).resolves.toContain('amount=20');
  });

  test('may be in a form with files', async () => {
    const story = await signedIn(stack, {
      message: async (request) => `Pay ${(await request.text()).includes('"amount"') ? 20 : 0} €?`,
    });
    const body = new FormData();
    body.append('amount', '20');
    const id = await confirmed(story, body);
    body.append('omi-confirmation', id);
    const request = new Request('https://bank.example/pay', { method: 'POST', body });
    await expect(story.website.routes.consume(request, story.visitor.session)).resolves.toBeDefined();
  });

  test('may be in a header', async () => {
    const story = await signedIn(stack);
    const id = await confirmed(story);
    const request = story.visitor.request('POST', '/pay', fields, { 'omi-confirmation': id });
    await expect(story.website.routes.consume(request, story.visitor.session)).resolves.toBeDefined();
    await expect(request.json()).resolves.toEqual(fields);
  });

  test('is rejected if it is missing, repeated or not a string', async () => {
    const story = await signedIn(stack);
    const id = await confirmed(story);
    const twice = new URLSearchParams([
      ...Object.entries(fields),
      ['omi-confirmation', id],
      ['omi-confirmation', id],
    ]);
    const post = (body: URLSearchParams | string | null, type = 'application/json') =>
      new Request('https://bank.example/pay', { method: 'POST', body, headers: { 'content-type': type } });
    for (const request of [
      post(twice, 'application/x-www-form-urlencoded'),
      post(JSON.stringify({ ...fields, 'omi-confirmation': [id] })),
      post(JSON.stringify({ ...fields, 'omi-confirmation': { id } })),
      post(JSON.stringify(fields)),
      post(JSON.stringify(null)),
      post('{'),
      post(null),
      post(`omi-confirmation=${id}`, 'text/plain'),
    ])
      await expect(story.website.routes.consume(request, story.visitor.session)).rejects.toMatchObject(
        denied('confirmation-missing'),
      );
    await expect(story.visitor.act(id)).resolves.toBeDefined();
  });
});

test('Denied answers in the words of the website', async () => {
  const response = new Denied('Your account is locked.', { code: 'locked', status: 423 }).response();
  expect(response.status).toBe(423);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({ status: 423, code: 'locked', detail: 'Your account is locked.' });
});

describe('the same question', () => {
  const question = { message: 'Pay?', details: [{ type: 'payment', amount: '20' }] };

  test('may have another lifetime', () => {
    expect(isSameQuestion(question, { ...question, expiresIn: 60 })).toBe(true);
  });

  test.each([
    ['other details', { details: [{ type: 'payment', amount: '2000' }] }],
    ['fewer details', { details: [] }],
    ['no details', { details: undefined }],
    ['another purpose', { purpose: 'add-device' as const }],
    ['another message', { message: 'Pay!' }],
  ])('may not have %s', (_, other) => {
    expect(isSameQuestion(question, { ...question, ...other })).toBe(false);
  });
});
