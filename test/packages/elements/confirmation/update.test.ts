/** The state machine of `<omi-confirmation>`: no answer of the server, in no order, makes it do harm. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  initial,
  type Asked,
  type Device,
  type Effect,
  type Message,
  type State,
} from '../../../../packages/elements/src/confirmation/state.ts';
import { update } from '../../../../packages/elements/src/confirmation/update.ts';

const phone: Device = { deviceId: 'phone', name: 'Phone', status: 'active' };
const tablet: Device = { deviceId: 'tablet', name: 'Tablet', status: 'unreachable' };

const asked: Asked = { id: 'a', message: 'Pay?', delivery: 'sent', expiresInMs: 120_000, interval: 1 };
const timing = { expiresInMs: 100_000, interval: 1 };
const refusal = (status: number, code = 'x', retryAfterMs?: number) => ({ status, code, retryAfterMs });

/** Takes the messages one after another, one second apart. */
function run(messages: readonly Message[], from: State = initial): { state: State; effects: Effect[] } {
  let state = from;
  const effects: Effect[] = [];
  messages.forEach((message, index) => {
    const [next, more] = update(state, message, index * 1_000);
    state = next;
    effects.push(...more);
  });
  return { state, effects };
}

const opened: Message = { type: 'opened' };
const started: Message = { type: 'started' };
const loaded = (...devices: Device[]): Message => ({ type: 'devices', devices });
const sent = (number: number, id = 'a'): Message => ({ type: 'sent', run: number, asked: { ...asked, id } });
const pending = [opened, loaded(phone), started, sent(1)];
const looked = (status: 'pending' | 'confirmed' | 'denied' | 'expired', id = 'a'): Message => ({
  type: 'looked',
  id,
  look: { ...timing, status },
});

const places = (messages: readonly Message[]): string[] =>
  messages.map((_, index) => run(messages.slice(0, index + 1)).state.step.at);

describe('the way to a confirmation', () => {
  test('includes the devices and the request', () => {
    const messages = [...pending, looked('pending'), looked('confirmed')];
    expect(places(messages)).toEqual(['loading', 'ready', 'sending', 'pending', 'pending', 'confirmed']);
    expect(run(messages).effects.map(({ type }) => type)).toEqual([
      'load-devices',
      'send',
      'look',
      'look',
      'end',
    ]);
  });

  test('prefers a device that gets notifications, and keeps the choice of the user', () => {
    expect(run([opened, loaded(tablet, phone)]).state.deviceId).toBe('phone');
    const chosen = [opened, loaded(tablet, phone), { type: 'chosen', deviceId: 'tablet' }] as const;
    expect(run([...chosen, started]).effects).toContainEqual({ type: 'send', run: 1, deviceId: 'tablet' });
    expect(run([...chosen, { type: 'enrolled' }, loaded(phone, tablet)]).state.deviceId).toBe('tablet');
  });

  test('starts automatically if it was requested while the devices were loading', () => {
    expect(places([opened, started, loaded(phone)])).toEqual(['loading', 'loading', 'sending']);
    expect(places([opened, started, { type: 'reset' }, loaded(phone)]).at(-1)).toBe('ready');
  });

  test('starts on the device that the page names while the devices are loading', () => {
    const named = run([opened, started, { type: 'opened', deviceId: 'tablet' }, loaded(phone)]);
    expect(named.effects.filter(({ type }) => type === 'send')).toEqual([
      { type: 'send', run: 1, deviceId: 'tablet' },
    ]);
    expect(places([opened, started, opened, loaded(phone)]).at(-1)).toBe('sending');
  });

  test('ends without a device, until there is one', () => {
    expect(places([opened, loaded(), { type: 'seen' }, loaded(phone)])).toEqual([
      'loading',
      'no-device',
      'loading',
      'ready',
    ]);
    expect(places([opened, loaded(), started, loaded(phone)]).at(-1)).toBe('sending');
  });

  test('includes the device that the page names while a request is open, from the next one on', () => {
    const named: Message[] = [{ type: 'opened', deviceId: 'phone' }, started];
    const other: Message = { type: 'opened', deviceId: 'tablet' };
    const whileSending = run([...named, other, sent(1), looked('denied'), started]);
    const whilePending = run([...named, sent(1), other, looked('denied'), started]);
    for (const { effects } of [whileSending, whilePending]) {
      expect(effects.filter(({ type }) => type === 'send')).toEqual([
        { type: 'send', run: 1, deviceId: 'phone' },
        { type: 'send', run: 2, deviceId: 'tablet' },
      ]);
      expect(effects.filter(({ type }) => type === 'end')).toHaveLength(1);
    }
    const chosenByUser = run([...named, sent(1), opened, looked('denied'), started]);
    expect(chosenByUser.effects.at(-1)).toEqual({ type: 'send', run: 2, deviceId: undefined });
  });

  test('loads nothing if the page names the device', () => {
    const { state, effects } = run([{ type: 'opened', deviceId: 'tablet' }, started]);
    expect([state.step.at, effects]).toEqual(['sending', [{ type: 'send', run: 1, deviceId: 'tablet' }]]);
  });
});

describe('a refusal', () => {
  const notSent = (status: number, code: string, retryAfterMs?: number, attempt = 1): Message => ({
    type: 'not-sent',
    run: attempt,
    refusal: refusal(status, code, retryAfterMs),
  });

  test('blocks the next attempt until the time that it states', () => {
    const { state } = run([opened, loaded(phone), started, notSent(429, 'too-many-notifications', 60_000)]);
    expect(update(state, started, 62_999)[0]).toBe(state);
    expect(update(state, started, 63_000)[0].step.at).toBe('loading');
  });

  describe('because another request is open', () => {
    const other = [opened, loaded(phone), started, notSent(409, 'confirmation-pending', 90_000)];

    test('is tried again at once, but only by the user', () => {
      const { state, effects } = run(other);
      expect(effects.at(-1)).toMatchObject({ type: 'problem', problem: { code: 'confirmation-pending' } });
      expect(update(state, started, 4_000)[0].step.at).toBe('loading');
    });

    test('can be solved by the user, who withdraws the other one', () => {
      const { effects } = run([...other, { type: 'others-unwanted' }, { type: 'others-withdrawn', run: 2 }]);
      expect(effects.slice(-2)).toEqual([
        { type: 'withdraw-others', run: 2 },
        { type: 'send', run: 3, deviceId: 'phone' },
      ]);
      expect(run([...pending, { type: 'others-unwanted' }]).effects.at(-1)?.type).toBe('look');
    });
  });

  test('loads the devices when none was chosen', () => {
    expect(places([opened, loaded(phone), started, notSent(409, 'device-choice-required')]).at(-1)).toBe(
      'loading',
    );
  });

  test.each([0, 429, 500, 503])('is bridged if it is of a poll with the status %i', (status) => {
    const { state, effects } = run([...pending, { type: 'refused', id: 'a', refusal: refusal(status) }]);
    expect(state.step).toMatchObject({ at: 'pending', isLost: true });
    expect(effects.at(-1)).toEqual({ type: 'look', id: 'a', afterMs: 3_000 });
  });

  test('is not bridged forever', () => {
    const { state } = run(pending);
    const late = 3_000 + asked.expiresInMs + 31_000;
    const [stopped] = update(state, { type: 'refused', id: 'a', refusal: refusal(0) }, late);
    expect(stopped.step).toMatchObject({ at: 'stopped', problem: { code: 'lost' } });
  });

  test.each([401, 403, 404])('ends the poll with the status %i', (status) => {
    expect(run([...pending, { type: 'refused', id: 'a', refusal: refusal(status) }]).state.step.at).toBe(
      'stopped',
    );
  });

  test('shows the answer if the cancellation came too late', () => {
    const late = { type: 'refused', id: 'a', refusal: refusal(409, 'already-decided') } as const;
    const { state, effects } = run([...pending, { type: 'cancelled' }, late]);
    expect(state.step).toMatchObject({ at: 'pending', isLeaving: false });
    expect(effects.at(-1)).toEqual({ type: 'look', id: 'a', afterMs: 0 });
  });
});

describe('an unwanted confirmation', () => {
  test.each<[string, Message[], boolean]>([
    ['after a cancellation by the user', [...pending, { type: 'cancelled' }], false],
    ['after a reset', [...pending, { type: 'reset' }], true],
    ['when the page is left', [...pending, { type: 'left' }], true],
    ['before the request has arrived', [...pending.slice(0, 3), { type: 'cancelled' }, sent(1)], true],
    [
      'even if the next one has begun',
      [...pending.slice(0, 3), { type: 'cancelled' }, started, sent(1)],
      true,
    ],
  ])('is withdrawn %s', (_, messages, isLast) => {
    expect(run(messages).effects.at(-1)).toEqual({ type: 'withdraw', id: 'a', isLast });
  });

  test('is looked up again when the page is restored from the cache, because it may have been answered', () => {
    expect(run([...pending, { type: 'left' }, { type: 'returned' }]).effects.at(-1)).toEqual({
      type: 'look',
      id: 'a',
      afterMs: 0,
    });
  });
});

const statuses = fc.constantFrom('pending', 'confirmed', 'denied', 'expired', 'cancelled', 'failed');
const refusals = fc.record({
  status: fc.constantFrom(0, 401, 403, 404, 409, 429, 500),
  code: fc.constantFrom(
    'already-decided',
    'confirmation-pending',
    'device-choice-required',
    'device-not-found',
    'network',
  ),
});
const ids = fc.constantFrom('1', '2', '3');
const messages: fc.Arbitrary<Message> = fc.oneof(
  fc
    .constantFrom<Message['type']>(
      'opened',
      'seen',
      'enrolled',
      'started',
      'cancelled',
      'others-unwanted',
      'left',
      'returned',
      'form-changed',
      'reset',
    )
    .map((type) => ({ type }) as Message),
  fc.constantFrom(loaded(), loaded(phone), loaded(phone, tablet)),
  fc.constantFrom<Message>({ type: 'chosen', deviceId: 'tablet' }, { type: 'opened', deviceId: 'phone' }),
  // The id of a request is that of its attempt, as each attempt makes one.
  fc.integer({ min: 1, max: 3 }).map((attempt) => sent(attempt, String(attempt))),
  fc
    .tuple(ids, statuses)
    .map(([id, status]): Message => ({ type: 'looked', id, look: { ...timing, status } })),
  fc.tuple(ids, refusals).map(([id, found]): Message => ({ type: 'refused', id, refusal: found })),
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), refusals)
    .map(([attempt, found]): Message => ({ type: 'not-sent', run: attempt, refusal: found })),
  fc.integer({ min: 1, max: 3 }).map((attempt): Message => ({ type: 'others-withdrawn', run: attempt })),
  refusals.map((found): Message => ({ type: 'no-devices', refusal: found })),
  ids.map((id): Message => ({ type: 'withdrawn', id })),
);

test('a confirmation is announced once and only for an open request, in any order of events', () => {
  const run = fc.property(fc.array(messages, { maxLength: 40 }), (story) => {
    let state = initial;
    const told: string[] = [];
    story.forEach((message, index) => {
      const open = state.step.at === 'pending' ? state.step.id : undefined;
      const [next, effects] = update(state, message, index * 1_000);
      for (const effect of effects)
        if (effect.type === 'end') {
          expect(effect.id).toBe(open);
          told.push(effect.id);
        }
      // One thing at a time is under way.
      expect(effects.filter(({ type }) => type === 'look' || type === 'send').length).toBeLessThan(2);
      if (next.step.at === 'confirmed' && state.step.at !== 'confirmed')
        expect(message).toMatchObject({ type: 'looked', look: { status: 'confirmed' } });
      state = next;
    });
    expect(new Set(told).size).toBe(told.length);
  });
  fc.assert(run, { numRuns: 500 });
});

test('the user can start again after any order of events', () => {
  const run = fc.property(fc.array(messages, { maxLength: 40 }), (story) => {
    let { state } = { state: initial };
    for (const message of story) [state] = update(state, message, 0);
    [state] = update(state, { type: 'reset' }, 0);
    [state] = update(state, { type: 'opened', deviceId: 'phone' }, 0);
    [state] = update(state, started, 0);
    expect(state.step.at).toBe('sending');
  });
  fc.assert(run, { numRuns: 300 });
});
