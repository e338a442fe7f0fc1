import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { explicitHashKey, laneIndex, lanesOf } from '../../../../core/export/targets/lanes.ts';

describe('lanes', () => {
  test('accept every key, always in the same lane', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 128 }), (key, count) => {
        const index = laneIndex(key, count);
        expect(lanesOf(count)[index]).toBe(`${index}/${count}`);
        expect(laneIndex(key, count)).toBe(index);
      }),
    );
  });

  test.each([2, 3, 16])('share similar keys evenly among %d', (count) => {
    const keys = Array.from({ length: 16_000 }, (_, index) =>
      index % 2 === 0 ? `tenant#user-${index}` : `tenant#${randomUUID()}`,
    );
    const sizes = Map.groupBy(keys, (key) => laneIndex(key, count));
    for (const { length } of sizes.values()) {
      expect(Math.abs(length / (keys.length / count) - 1)).toBeLessThan(0.15);
    }
    expect(sizes.size).toBe(count);
  });

  test.each([1, 2, 4, 128])('lie evenly in the hash space of a stream, all %d of them', (count) => {
    const space = 2n ** 128n;
    const places = lanesOf(count).map((lane) => BigInt(explicitHashKey(lane)));
    // With one shard for each lane, each lane is in the middle of its own.
    places.forEach((place, index) => {
      expect((place * BigInt(count)) / space).toBe(BigInt(index));
      expect(place * BigInt(count) - space * BigInt(index)).toBeGreaterThan(space / 2n - BigInt(count));
    });
  });
});
