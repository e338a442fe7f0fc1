import { describe, expect, test } from '@jest/globals';
import type { EnrolmentPreview } from '#device';
import { without } from '#ui/without.ts';
import type { PendingEnrolment } from '../../../../pages/app/src/platform/index.ts';
import type { Message } from '../../../../pages/app/src/state/messages.ts';
import type { State } from '../../../../pages/app/src/state/state.ts';
import { accountOf, challengeOf, now } from '../gallery/states.ts';
import { World } from './world.ts';

const base = 'https://omi.example.org';
const link = (api = base, version = '1'): string =>
  `https://app.example.org/enrol#v=${version}&api=${encodeURIComponent(api)}&code=abcdefghijklmnopqrstuv`;
const preview: EnrolmentPreview = {
  tenant: 'Bank',
  account: 'Anna',
  expiresAt: '2026-11-22T09:40:00.000Z',
  userVerification: 'off',
};
const pending: PendingEnrolment = {
  preview,
  link: { baseUrl: base, code: 'abcdefghijklmnopqrstuv' },
  name: 'Phone',
  key: accountOf('phone').key,
  begunAt: now,
  passkeyHandle: new Uint8Array(32),
};
const prompt: State['push'] = { state: 'off', permission: 'prompt' };
const step = (world: World) => world.state.enrolling?.step;

/** What the service says of the link. */
const previewed = { type: 'previewed', link: pending.link, preview } as const;
const previewFailed = (code: string) =>
  ({ type: 'preview-failed', link: pending.link, failure: { code } }) as const;

const named = (state: Partial<State> = {}): World => {
  const world = new World({ push: { state: 'active' }, ...state });
  world.send({ type: 'link', text: link() }, previewed);
  return world.send({ type: 'named', name: 'Phone' }, { type: 'begun', pending });
};

describe('a link', () => {
  test('shows for whom it is, then asks for the name of the device', () => {
    const world = new World().send({ type: 'link', text: link() });
    expect(step(world)).toEqual({ at: 'checking' });
    expect(world.taken()).toEqual([{ type: 'preview-enrolment', link: pending.link }]);
    world.send(previewed);
    expect(world.state.enrolling).toMatchObject({ step: { at: 'name' }, preview });
    world.send({ type: 'named', name: 'Phone' });
    expect(world.taken()).toEqual([{ type: 'begin-enrolment', link: pending.link, name: 'Phone', preview }]);
  });

  test.each(['enrolment-not-found', 'enrolment-code-used', 'enrolment-code-expired'])(
    'is reported at once when it fails with %s, and keeps other enrolments',
    (code) => {
      const world = new World().send({ type: 'link', text: link() });
      world.taken();
      world.send(previewFailed(code));
      expect(step(world)).toEqual({ at: 'failed', code });
      expect(world.taken()).toEqual([]);
    },
  );

  test('is checked again when the service could not be asked', () => {
    const world = new World().send({ type: 'link', text: link() }, previewFailed('network'));
    world.taken();
    world.send({ type: 'enrol-retried' });
    expect(step(world)).toEqual({ at: 'checking' });
    expect(world.taken()).toEqual([{ type: 'preview-enrolment', link: pending.link }]);
  });

  test('is not confused with an earlier one whose answer is late', () => {
    const world = new World().send({ type: 'link', text: link() });
    const other = { ...pending.link, code: 'zyxwvutsrqponmlkjihgfe' };
    world.send({ ...previewed, link: other }, { ...previewFailed('network'), link: other });
    expect(step(world)).toEqual({ at: 'checking' });
    world.send(previewed, previewFailed('network'));
    expect(step(world)).toEqual({ at: 'name' });
  });

  test('is refused at once when the tenant requires a passkey and this browser has none', () => {
    const required = { ...previewed, preview: { ...preview, userVerification: 'required' } } as const;
    const world = new World({ hasPasskeys: false }).send({ type: 'link', text: link() }, required);
    expect(step(world)).toEqual({ at: 'failed', code: 'user-verification-required' });
    const able = new World({ hasPasskeys: true, push: { state: 'active' } });
    able.send({ type: 'link', text: link() }, required, { type: 'named', name: 'Phone' });
    able.send({ type: 'begun', pending: { ...pending, preview: required.preview } });
    expect(step(able)).toEqual({ at: 'passkey', isRequired: true });
  });

  test.each([
    ['it belongs to another service', link('https://evil.example.org'), 'foreign-link'],
    ['it has another version', link(base, '2'), 'unsupported-link'],
    ['it was cut', link().slice(0, 60), 'invalid-link'],
    ['it is not a link', 'hello', 'invalid-link'],
  ])('is refused if %s', (_, text, problem) => {
    const world = new World().send({ type: 'link', text });
    expect(step(world)).toEqual({ at: 'entry', way: 'paste', problem });
    expect(world.taken()).toEqual([]);
  });

  test('waits until the app knows its service, and is refused if the app cannot know', () => {
    const world = new World();
    world.state = without(world.state, 'baseUrl');
    world.send({ type: 'link', text: link() });
    expect(world.taken()).toEqual([{ type: 'load-config' }]);
    world.send({ type: 'unconfigured' });
    expect(step(world)).toMatchObject({ at: 'entry', problem: 'service-unknown' });
    world.send({ type: 'link', text: link() }, { type: 'configured', baseUrl: base });
    expect(step(world)).toEqual({ at: 'checking' });
  });

  test('first asks to add the app to the Home Screen in a browser tab of iOS', () => {
    const world = new World({ install: 'manual' }).send({ type: 'link', text: link() }, previewed);
    expect(step(world)).toEqual({ at: 'install' });
    expect(step(world.send({ type: 'install-skipped' }))).toEqual({ at: 'name' });
  });

  test('works the same from the camera; without a camera it can be pasted', () => {
    const found = new World().send({ type: 'scanned', result: { outcome: 'found', text: link() } });
    expect(step(found)).toEqual({ at: 'checking' });
    const denied = new World().send({ type: 'scanned', result: { outcome: 'denied' } });
    expect(step(denied)).toEqual({ at: 'entry', way: 'paste', problem: 'denied' });
  });
});

describe('the questions', () => {
  test('are skipped when there is nothing to ask', () => {
    const world = named();
    expect(step(world)).toEqual({ at: 'working' });
    expect(world.takenOf('complete-enrolment')).toHaveLength(1);
  });

  test('are about notifications, then a passkey', () => {
    const world = named({ push: prompt, hasPasskeys: true });
    expect(step(world)).toEqual({ at: 'push' });
    world.send({ type: 'push-chosen' }, { type: 'push-health', health: { state: 'active' } });
    expect(world.takenOf('enable-push')).toHaveLength(1);
    expect(step(world)).toEqual({ at: 'passkey', isRequired: false });
    world.send({ type: 'passkey-chosen' });
    expect(world.takenOf('add-passkey')).toHaveLength(1);
    world.send({ type: 'passkey-made', result: { outcome: 'created' }, pending });
    expect(world.takenOf('complete-enrolment')).toHaveLength(1);
  });

  test('may be skipped', () => {
    const world = named({ push: prompt, hasPasskeys: true });
    world.send({ type: 'push-skipped' }, { type: 'passkey-skipped' });
    expect(world.takenOf('complete-enrolment')).toHaveLength(1);
  });

  test('explain a refused permission before they continue', () => {
    const world = named({ push: prompt });
    world.send(
      { type: 'push-chosen' },
      { type: 'push-health', health: { state: 'off', permission: 'denied' } },
    );
    expect(step(world)).toEqual({ at: 'push' });
    expect(step(world.send({ type: 'push-skipped' }))).toEqual({ at: 'working' });
  });

  test('report when a passkey was not created', () => {
    const world = named({ hasPasskeys: true }).send({
      type: 'passkey-made',
      result: { outcome: 'cancelled' },
    });
    expect(step(world)).toMatchObject({ at: 'passkey', problem: 'cancelled' });
  });
});

describe('the call of the service', () => {
  test('makes an account whose challenges are requested at once', () => {
    const world = named();
    world.taken();
    world.send({ type: 'enrolled', account: accountOf('phone') });
    expect(step(world)).toMatchObject({ at: 'done' });
    expect(world.taken().map(({ type }) => type)).toEqual(['persist', 'refresh-push', 'fetch']);
  });

  test.each([
    'enrolment-code-used',
    'enrolment-code-expired',
    'enrolment-not-found',
    'confirmation-required',
    'recovery-required',
  ])('needs another link after it fails with %s', (code) => {
    const world = named();
    world.taken();
    world.send({ type: 'enrol-failed', failure: { code } });
    expect(step(world)).toEqual({ at: 'failed', code });
    expect(world.taken()).toEqual([{ type: 'abandon-enrolment' }]);
  });

  test.each(['network', 'temporarily-unavailable', 'too-many-devices'])(
    'may be repeated after it fails with %s',
    (code) => {
      const world = named().send({ type: 'enrol-failed', failure: { code } });
      world.taken();
      world.send({ type: 'enrol-retried' });
      expect(world.taken()).toMatchObject([{ type: 'complete-enrolment', pending }]);
    },
  );

  test('asks for a passkey when it needs one, and the user cannot skip it', () => {
    const world = named({ hasPasskeys: true }).send({ type: 'passkey-skipped' });
    const failure = { code: 'user-verification-required' };
    world.send({ type: 'enrol-failed', failure });
    expect(step(world)).toEqual({ at: 'passkey', isRequired: true });
    const without = named({ hasPasskeys: false }).send({ type: 'enrol-failed', failure });
    expect(step(without)).toMatchObject({ at: 'failed' });
  });
});

describe('the screen "This device is ready"', () => {
  const ready = (): World => {
    const world = new World({ push: { state: 'active' }, route: { screen: 'enrol' } });
    world.send({ type: 'link', text: link() }, previewed);
    world.send({ type: 'named', name: 'Phone' }, { type: 'begun', pending });
    world.taken();
    return world.send({ type: 'enrolled', account: accountOf('phone') });
  };
  const fetched = (...ids: string[]) =>
    ({ type: 'fetched', deviceId: 'phone', challenges: ids.map((id) => challengeOf(id)) }) as const;

  test('makes way for the request that waits', () => {
    const route = { screen: 'challenge', challengeId: 'one' };
    expect(ready().send(fetched('one')).takenOf('navigate')).toMatchObject([{ route, replace: true }]);
  });

  test('makes way for the list of requests if several wait', () => {
    const navigated = ready().send(fetched('one', 'two')).takenOf('navigate');
    expect(navigated).toMatchObject([{ route: { screen: 'home' } }]);
  });

  test('stays if nothing waits', () => {
    expect(ready().send(fetched()).takenOf('navigate')).toEqual([]);
  });

  test.each<[string, Message, number]>([
    ['a push has come', { type: 'tab', message: { type: 'pushed' } }, 0],
    ['the app has been opened from a notification', { type: 'tab', message: { type: 'opened' } }, 0],
    ['the pause between two polls is over', { type: 'ticked' }, 2_000],
  ])('asks for requests at once, and again as soon as %s, without a touch', (_, message, pauseMs) => {
    const world = ready();
    expect(world.takenOf('fetch')).toHaveLength(1);
    world.send(fetched()).send({ type: 'ticked' });
    expect(world.takenOf('fetch')).toEqual([]);
    world.pass(pauseMs).send(message);
    expect(world.takenOf('fetch')).toHaveLength(1);
  });

  test('is the only step that makes way', () => {
    const world = named({ push: prompt, route: { screen: 'enrol' }, accounts: [accountOf('phone')] });
    world.taken();
    expect(world.send(fetched('one')).takenOf('navigate')).toEqual([]);
  });
});

test('an enrolment that was begun before a reload continues with its name', () => {
  const world = new World().send({
    ...{ type: 'started', accounts: [], lost: [], hasPasskeys: false, install: 'browser' },
    ...{ permission: 'prompt', online: true, pending },
  });
  expect(world.state.enrolling).toMatchObject({ step: { at: 'name' }, pending });
});

test('leaving a begun enrolment deletes its key', () => {
  const world = named({ push: prompt }).send({ type: 'enrol-left' });
  expect(world.takenOf('abandon-enrolment')).toHaveLength(1);
});

test('an enrolment in progress waits for the user to come back, but a failed one does not', () => {
  const away = { type: 'routed', route: { screen: 'home' } } as const;
  expect(step(named({ push: prompt }).send(away))).toEqual({ at: 'push' });
  const failed = named().send({ type: 'enrol-failed', failure: { code: 'enrolment-code-used' } });
  expect(step(failed.send(away))).toBeUndefined();
});

test('what the user has typed stays while a notification shows a request', () => {
  const clicked = { type: 'routed', route: { screen: 'challenge', challengeId: 'one' } } as const;
  const back = { type: 'routed', route: { screen: 'enrol' } } as const;
  const typed = { type: 'typed', text: 'https://app.example.org/enr' } as const;
  const entry = new World({ route: { screen: 'enrol' } }).send(typed, clicked, back);
  expect(step(entry)).toMatchObject({ at: 'entry', typed: typed.text });
  const name = new World({ route: { screen: 'enrol' }, enrolling: { step: { at: 'name' } } });
  expect(step(name.send({ ...typed, text: 'Anna’s' }, clicked, back))).toEqual({
    at: 'name',
    typed: 'Anna’s',
  });
  expect(step(named({ push: prompt }).send(typed))).toEqual({ at: 'push' });
});

test('a link that was opened without a connection is read when there is one', () => {
  const world = new World();
  world.state = without(world.state, 'baseUrl');
  world.send({ type: 'link', text: link() }, { type: 'unconfigured' });
  world.taken();
  expect(world.send({ type: 'network', online: true }).taken()).toEqual([{ type: 'load-config' }]);
  expect(step(world.send({ type: 'configured', baseUrl: base }))).toEqual({ at: 'checking' });
});
