import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Effect } from '../../../../pages/app/src/state/effects.ts';
import type { Message } from '../../../../pages/app/src/state/messages.ts';
import { accountOf, challengeOf } from '../gallery/states.ts';
import { World } from './world.ts';

const devices = ['phone', 'second'] as const;
const ids = ['one', 'two', 'three'] as const;
const codes = [
  'network',
  'wrong-number',
  'already-decided',
  'challenge-expired',
  'number-required',
  'invalid-signature',
];

const id = fc.constantFrom(...ids);
/** Challenges belong to one device, as the service has them. */
const deviceOf = (challengeId: string): string => (challengeId === 'three' ? 'second' : 'phone');
const failure = fc.constantFrom(...codes).map((code) => ({ code }));
const result = fc.constantFrom(
  { outcome: 'cancelled' as const },
  { outcome: 'unavailable' as const },
  {
    outcome: 'verified' as const,
    userVerification: { id: '', authenticatorData: '', clientDataJSON: '', signature: '' },
  },
);

/** Anything that can happen around challenges, in any order: late answers, lists that are old, other tabs. */
const message: fc.Arbitrary<Message> = fc.oneof(
  fc
    .record({
      type: fc.constant('fetched' as const),
      deviceId: fc.constantFrom(...devices),
      listed: fc.subarray([...ids]),
    })
    .map(({ type, deviceId, listed }): Message => ({
      type,
      deviceId,
      challenges: listed
        .filter((challengeId) => deviceOf(challengeId) === deviceId)
        .map((challengeId) =>
          challengeOf(challengeId, { userVerification: challengeId === 'two' ? 'preferred' : 'off' }),
        ),
    })),
  fc.record({ type: fc.constant('fetch-failed' as const), deviceId: fc.constantFrom(...devices), failure }),
  fc.record({
    type: fc.constant('decided' as const),
    challengeId: id,
    decision: fc.constantFrom('confirm' as const, 'deny' as const, 'not_me' as const),
    number: fc.constantFrom(undefined, '123456'),
  }),
  fc.record({ type: fc.constant('verified' as const), challengeId: id, result }),
  fc.record({
    type: fc.constant('answered' as const),
    challengeId: id,
    status: fc.constantFrom('confirmed', 'denied'),
  }),
  fc.record({ type: fc.constant('answer-failed' as const), challengeId: id, failure }),
  id.map((challengeId): Message => ({
    type: 'tab',
    message: { type: 'answered', challengeId, outcome: 'denied' },
  })),
  id.map((challengeId): Message => ({ type: 'routed', route: { screen: 'challenge', challengeId } })),
  fc.constantFrom<Message>(
    { type: 'ticked' },
    { type: 'woken' },
    { type: 'routed', route: { screen: 'home' } },
  ),
);

const steps = fc.array(fc.tuple(fc.constantFrom(0, 900, 5_000, 60_000), message), { maxLength: 60 });

const idOf = (effect: Effect): string | undefined => {
  if (effect.type === 'record') return effect.entry.challengeId;
  return undefined;
};

test('each challenge ends once and answers do not overlap, in any order of events', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const world = new World({
        accounts: [
          accountOf('phone', { passkey: { id: 'id', rpId: 'app.example.org' } }),
          accountOf('second'),
        ],
      });
      const recorded: string[] = [];
      for (const [pause, next] of script) {
        const before = world.state;
        const frozen = JSON.stringify(before);
        const effects = world.pass(pause).send(next).taken();
        // The state is never changed in place.
        expect(JSON.stringify(before)).toBe(frozen);
        recorded.push(...effects.flatMap((effect) => idOf(effect) ?? []));
        const open = world.state.challenges.map(({ challenge }) => challenge.challengeId);
        expect(new Set(open).size).toBe(open.length);
        // What has ended stays ended, and is open nowhere.
        for (const ended of Object.keys(before.ended))
          expect(Object.keys(world.state.ended)).toContain(ended);
        expect(open.filter((challengeId) => world.state.ended[challengeId])).toEqual([]);
        // Only the one open challenge that is being answered is sent.
        const sent = effects.filter(({ type }) => type === 'answer' || type === 'verify');
        expect(sent.length).toBeLessThanOrEqual(1);
        if (before.answering?.phase === 'sending' && world.state.answering?.phase === 'sending')
          expect(sent).toEqual([]);
        const { answering } = world.state;
        if (answering) expect(open).toContain(answering.challengeId);
      }
      expect(new Set(recorded).size).toBe(recorded.length);
    }),
    { numRuns: 300 },
  );
});

test("tenants' brands are read at the start and when the app is seen again, once for each tenant", () => {
  const accounts = [accountOf('phone'), accountOf('second'), accountOf('third', { tenantId: 'other' })];
  const asked = [accounts[0]?.tenantId, 'other'];
  const world = new World();
  const taken = () => world.takenOf('load-brand').map(({ tenantId }) => tenantId);
  world.send({ type: 'accounts', accounts, lost: [] });
  expect(taken()).toEqual(asked);
  world.send({ type: 'visibility', visible: false });
  expect(taken()).toEqual([]);
  world.send({ type: 'visibility', visible: true });
  expect(taken()).toEqual(asked);
  world.send({ type: 'branded', tenantId: 'other', brand: { name: 'Other' } });
  expect(world.state.brands).toEqual({ other: { name: 'Other' } });
});
