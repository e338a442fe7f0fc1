import { expect, test } from '@jest/globals';
import type { HistoryEntry } from '../../../../pages/app/src/platform/index.ts';
import { usualInsteadOf } from '../../../../pages/app/src/text/usual-origin.ts';

const home = { browser: 'Firefox on Windows', place: 'Köln' };
const work = { browser: 'Edge on Windows', place: 'Bonn' };
const elsewhere = { browser: 'Chrome on Linux', place: 'Lagos' };

const entry = (more: Partial<HistoryEntry>): HistoryEntry => ({
  ...{ challengeId: 'one', deviceId: 'phone', outcome: 'confirmed', at: 0, message: 'Pay?' },
  ...more,
});
const history = [entry({ requestedFrom: work }), entry({ requestedFrom: home })];

test('an origin is unusual if nothing was confirmed from there, and the latest one is named', () => {
  expect(usualInsteadOf(elsewhere, 'phone', history)).toEqual(work);
});

test.each([home, work, { ...home, ip: '192.0.2.1' }])(
  'an origin is usual if something was confirmed from there: %j',
  (origin) => {
    expect(usualInsteadOf(origin, 'phone', history)).toBeUndefined();
  },
);

test.each([{ browser: 'Firefox on Windows' }, { ...home, place: 'Bonn' }])(
  'another browser or another place is another origin: %j',
  (origin) => {
    expect(usualInsteadOf(origin, 'phone', history)).toEqual(work);
  },
);

test.each<[string, HistoryEntry[]]>([
  ['no history', []],
  ['what another account confirmed', [entry({ deviceId: 'other', requestedFrom: home })]],
  ['what the user reported', [entry({ outcome: 'not_me', requestedFrom: home })]],
  ['confirmations without an origin', [entry({})]],
])('nothing is usual after %s', (_, entries) => {
  expect(usualInsteadOf(elsewhere, 'phone', entries)).toBeUndefined();
});
