/** The state machine of `<omi-enrolment>`. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  initial,
  type Effect,
  type Message,
  type State,
} from '../../../../packages/elements/src/enrolment/state.ts';
import { update } from '../../../../packages/elements/src/enrolment/update.ts';

const started = { id: 'a', link: 'https://app.example/enrol#v=1', expiresInMs: 600_000 };

function run(messages: readonly Message[], stepMs = 1_000): { state: State; effects: Effect[] } {
  let state = initial;
  const effects: Effect[] = [];
  messages.forEach((message, index) => {
    const [next, more] = update(state, message, index * stepMs);
    state = next;
    effects.push(...more);
  });
  return { state, effects };
}

const begun: Message[] = [{ type: 'opened' }, { type: 'started', run: 1, started }];
const looked = (status: 'waiting' | 'completed' | 'expired'): Message => ({
  type: 'looked',
  id: 'a',
  look: { status, device: { name: 'Phone' } },
});

test('the enrolment waits until a device is set up, and names it', () => {
  const { state, effects } = run([...begun, looked('waiting'), looked('completed')]);
  expect(state.step).toEqual({ at: 'completed', deviceName: 'Phone' });
  expect(effects).toEqual([
    { type: 'start', run: 1 },
    { type: 'look', id: 'a', afterMs: 2_000 },
    { type: 'look', id: 'a', afterMs: 2_000 },
    { type: 'enrolled', device: { name: 'Phone' } },
  ]);
});

test('the enrolment polls less often after a minute, and at the latest when the code expires', () => {
  const times = [60_000, 200_000, 299_500].map((step) =>
    run([...begun, looked('waiting')], step).effects.at(-1),
  );
  expect(times).toEqual([
    { type: 'look', id: 'a', afterMs: 4_000 },
    { type: 'look', id: 'a', afterMs: 4_000 },
    { type: 'look', id: 'a', afterMs: 4_000 },
  ]);
  const late = update(run(begun).state, looked('waiting'), 600_500)[1];
  expect(late).toEqual([{ type: 'look', id: 'a', afterMs: 500 }]);
});

test('an expired code is replaced by a new one, and the earlier one is forgotten', () => {
  const again: Message[] = [...begun, looked('expired'), { type: 'opened' }];
  expect(run(again).state.step.at).toBe('starting');
  expect(run([...again, { type: 'started', run: 1, started }]).state.step.at).toBe('starting');
  expect(run([...again, { type: 'started', run: 2, started }]).state.step.at).toBe('waiting');
});

test('a lost connection is bridged, and a refusal ends the enrolment', () => {
  const refused = (status: number): Message => ({
    type: 'not-looked',
    id: 'a',
    refusal: { status, code: 'x' },
  });
  expect(run([...begun, refused(0)]).state.step).toMatchObject({ at: 'waiting', isLost: true });
  expect(run([...begun, refused(0), looked('waiting')]).state.step).toMatchObject({ isLost: false });
  expect(run([...begun, refused(401)]).effects.at(-1)).toEqual({ type: 'problem', code: 'x' });
});

test('a device is announced once, in any order of events', () => {
  const messages = fc.oneof(
    fc.constantFrom<Message>({ type: 'opened' }, { type: 'closed' }, { type: 'returned' }),
    fc.constantFrom(...begun, looked('waiting'), looked('completed'), looked('expired')),
    fc.constantFrom<Message>({ type: 'not-started', run: 1, refusal: { status: 0, code: 'x' } }),
  );
  const property = fc.property(fc.array(messages, { maxLength: 30 }), (story) => {
    // One code was made, so at most one device can be set up with it.
    const told = run(story).effects.filter(({ type }) => type === 'enrolled');
    expect(told.length).toBeLessThan(2);
  });
  fc.assert(property, { numRuns: 300 });
});
