import { describe, expect, test } from '@jest/globals';
import { KeptReplays } from '../../../pages/exports/src/state/kept-replays.ts';

const ours = { tenantId: 'ours', category: 'public', replayId: 'a' } as const;

/** What a window's storage does, with the text that a test puts there. */
const storageWith = (text: string | null) => {
  let stored = text;
  return {
    getItem: () => stored,
    setItem: (_: string, value: string) => void (stored = value),
  };
};

describe('the replays that a window keeps', () => {
  test('are those of the tenant alone, and none that the service has forgotten', () => {
    const storage = storageWith(null);
    new KeptReplays(storage).add(ours);
    new KeptReplays(storage).add({ ...ours, tenantId: 'theirs', replayId: 'b' });
    const reloaded = new KeptReplays(storage);
    expect(reloaded.of('ours')).toEqual([ours]);
    reloaded.remove('a');
    expect(reloaded.of('ours')).toEqual([]);
    expect(reloaded.of('theirs')).toHaveLength(1);
  });

  test.each([
    '{',
    '{}',
    '[null, 1, {"tenantId":"ours"}]',
    '[{"tenantId":"ours","category":"x","replayId":"a"}]',
  ])('are none if the storage has %s', (text) => {
    expect(new KeptReplays(storageWith(text)).of('ours')).toEqual([]);
  });

  test('are lost without a word where the browser keeps nothing', () => {
    const closed = (): never => {
      throw new Error('SecurityError');
    };
    const kept = new KeptReplays({ getItem: closed, setItem: closed });
    kept.add(ours);
    expect(kept.of('ours')).toEqual([]);
  });
});
