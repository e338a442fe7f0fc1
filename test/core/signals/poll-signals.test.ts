import { describe, expect, test } from '@jest/globals';
import type { PolledSignal } from '../../../core/export/kinds/signals/polled-signal-store.ts';
import { pollSignals, type PollDeps } from '../../../core/signals/poll-signals.ts';
import type { Stream } from '../../../core/signals/stream.ts';

const owner = { tenantId: '0199c0de-0000-7000-8000-000000000001', clientId: 'receiver' };
const enabled = { state: 'active', destination: { kind: 'signals' } } as Stream;

const deps = (signals: PolledSignal[], looks: number[] = []): PollDeps => ({
  streams: { find: async () => await Promise.resolve(enabled) },
  polled: {
    oldest: async (_, most) => {
      looks.push(Date.now());
      return await Promise.resolve({ signals: signals.slice(0, most), more: signals.length > most });
    },
    remove: async () => await Promise.resolve(),
    takePlace: async () => await Promise.resolve(true),
    leavePlace: async () => await Promise.resolve(),
  },
});

describe('polls of signals', () => {
  test('a poll answers as many signals as an answer has room for, and says that there are more', async () => {
    const signals = Array.from({ length: 5 }, (_, n) => ({ jti: `id-${n}`, token: 't'.repeat(90_000) }));
    const { sets, moreAvailable } = await pollSignals(deps(signals), owner, 'stream', {});
    expect(Object.keys(sets)).toEqual(['id-0', 'id-1']);
    expect(moreAvailable).toBe(true);
  });

  test('a poll answers small signals together', async () => {
    const signals = Array.from({ length: 5 }, (_, n) => ({ jti: `id-${n}`, token: 't' }));
    const { sets, moreAvailable } = await pollSignals(deps(signals), owner, 'stream', {});
    expect([Object.keys(sets).length, moreAvailable]).toEqual([5, undefined]);
  });

  test('a poll that finds nothing looks less often the longer it waits', async () => {
    const looks: number[] = [];
    await pollSignals(deps([], looks), owner, 'stream', {}, { longestMs: 700, pauseMs: 50 });
    // Pauses of 50, 100, 200 and, if there is time, 400 ms.
    expect(looks.length).toBeLessThan(6);
    expect(looks.length).toBeGreaterThan(1);
  });
});
