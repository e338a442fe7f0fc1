import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  nextBatch,
  putRecordBatchLimits,
  putRecordsLimits,
} from '../../../../core/export/delivery/batch-limits.ts';
import {
  eventsOf,
  largestRecord,
  pack,
  unpack,
  type PackedRecord,
  type PackingOptions,
} from '../../../../core/export/delivery/packing.ts';
import type { StoredEvent } from '../../../../core/events/event-stream.ts';
import { propertyRuns } from '../../../support/property-runs.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const eventsIn = ({ data }: Pick<PackedRecord, 'data'>): unknown[] =>
  (JSON.parse(data.toString()) as { events: unknown[] }).events;

const keyIn = (event: unknown): string => (event as { key: string }).key;

/** What a payload may hold: escapes, several bytes a character, characters that SQS would replace, torn surrogates. */
const content = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\n', '\u0000', 'é', '中', '💥', '\ufffe', '\uffff', '\ud800'),
  }),
  fc.nat(60_000).map((length) => '中'.repeat(length)),
  fc.constant('x'.repeat(256 * 1024)),
);

const events = fc
  .array(fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'ü'), content }), { maxLength: 60 })
  .map((contents) =>
    contents.map((one, index): StoredEvent => {
      // A lone surrogate becomes an escape, as JSON.stringify writes it.
      return { orderingKey: one.key, event: JSON.stringify({ index, ...one }) };
    }),
  );

const options = fc.record({
  lanes: fc.constantFrom(1, 2, 7, 128),
  lineEnd: fc.constantFrom('' as const, '\n' as const),
});

describe('packed events', () => {
  test('begin with a record of few events where that is asked for a lane, and up to twice as many are in each record behind it', () => {
    const given = Array.from({ length: 12 }, (_, index) => ({
      orderingKey: 'a',
      event: `{"index":${index}}`,
    }));
    const sizes = (how: Partial<PackingOptions>) =>
      pack(given, { lanes: 1, lineEnd: '', ...how }).records.map(({ size, alone }) => [size, alone ?? false]);
    const firstSize = () => 1;
    expect(sizes({ firstSize })).toEqual([1, 2, 4, 5].map((size) => [size, true]));
    expect(sizes({ firstSize: () => 3 })).toEqual([3, 6, 3].map((size) => [size, true]));
    expect(sizes({ firstSize, limits: { events: 3, bytes: 1_000 } })).toEqual(
      [1, 2, 3, 3, 3].map((size) => [size, true]),
    );
    expect(sizes({})).toEqual([[12, false]]);
  });

  test('are sent with one record in a call where a lane begins with few, whatever a call can carry', () => {
    const given = Array.from({ length: 3 }, (_, index) => ({
      orderingKey: 'a',
      event: `{"index":${index}}`,
    }));
    const { records } = pack(given, { lanes: 1, lineEnd: '', firstSize: () => 1 });
    expect(nextBatch(records, putRecordBatchLimits)).toEqual(records.slice(0, 1));
  });

  test('are complete, without duplicates or changes', () => {
    fc.assert(
      fc.property(events, options, (given, how) => {
        const { records, oversized } = pack(given, how);
        const packed = records.flatMap(eventsIn);
        expect(oversized).toEqual([]);
        expect(packed.length).toBe(given.length);
        const byIndex = (one: unknown) => (one as { index: number }).index;
        expect(packed.toSorted((a, b) => byIndex(a) - byIndex(b))).toEqual(
          given.map(({ event }) => JSON.parse(event) as unknown),
        );
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('are in one lane and in order if they share an ordering key', () => {
    fc.assert(
      fc.property(events, options, (given, how) => {
        const { records } = pack(given, how);
        const lanes = Map.groupBy(records, ({ lane }) => lane);
        for (const key of new Set(given.map(({ orderingKey }) => orderingKey))) {
          const found = [...lanes.values()]
            .map((its) => its.flatMap(eventsIn).filter((event) => keyIn(event) === key))
            .filter((its) => its.length > 0);
          expect(found).toEqual([
            given
              .filter(({ orderingKey }) => orderingKey === key)
              .map(({ event }) => JSON.parse(event) as unknown),
          ]);
        }
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('are found again by their record, whatever lies in between', () => {
    const largest = 'x'.repeat(largestRecord);
    const withOversized = fc
      .tuple(events, fc.array(fc.nat(60), { maxLength: 2 }))
      .map(([given, places]) =>
        places.reduce((all, at) => all.toSpliced(at, 0, { orderingKey: 'a', event: `"${largest}"` }), given),
      );
    fc.assert(
      fc.property(withOversized, options, (given, how) => {
        const { records, oversized } = pack(given, how);
        for (const record of records)
          expect(eventsOf(record, given, oversized).map(({ event }) => JSON.parse(event) as unknown)).toEqual(
            eventsIn(record),
          );
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('form records within the limits of Kinesis, Firehose and SQS', () => {
    fc.assert(
      fc.property(events, options, (given, how) => {
        for (const { data, lane } of pack(given, how).records) {
          expect(data.length).toBeLessThanOrEqual(largestRecord);
          expect(data.length + Buffer.byteLength(lane)).toBeLessThanOrEqual(1024 * 1024);
        }
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('survive a queue that accepts only the characters of XML', () => {
    fc.assert(
      fc.property(events, options, (given, how) => {
        for (const { data } of pack(given, how).records)
          expect(data.toString()).not.toMatch(/[\ufffe\uffff]/);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('can be packed again as one', () => {
    fc.assert(
      fc.property(events, (given) => {
        const once = pack(given, { lanes: 1, lineEnd: '' });
        const again = pack(
          once.records.map(({ data }) => ({ orderingKey: '', event: unpack(data.toString()) })),
          { lanes: 1, lineEnd: '\n' },
        );
        expect(again.oversized).toEqual([]);
        expect(again.records.flatMap(eventsIn)).toEqual(once.records.flatMap(eventsIn));
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('state which entries each record holds', () => {
    fc.assert(
      fc.property(events, (given) => {
        const { records } = pack(given, { lanes: 1, lineEnd: '' });
        let next = 0;
        for (const { first, size } of records) {
          expect(first).toBe(next);
          next += size;
        }
        expect(next).toBe(given.length);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});

describe('a record', () => {
  const small = (count: number): StoredEvent[] =>
    Array.from({ length: count }, (_, index) => ({ orderingKey: 'a', event: `{"i":${index}}` }));

  test('is an object with the events', () => {
    const { records } = pack(small(2), { lanes: 1, lineEnd: '' });
    expect(records.map(({ data }) => data.toString())).toEqual(['{"events":[{"i":0},{"i":1}]}']);
  });

  test('is a line when lines are requested', () => {
    const { records } = pack(small(1), { lanes: 1, lineEnd: '\n' });
    expect(records.map(({ data }) => data.toString())).toEqual(['{"events":[{"i":0}]}\n']);
  });

  test('holds 10,000 tiny events', () => {
    const { records } = pack(small(10_000), { lanes: 1, lineEnd: '' });
    expect(records.map(({ size }) => size)).toEqual([10_000]);
  });

  test('is filled to the last byte before the next one begins', () => {
    const frame = '{"events":[,]}\n'.length;
    const half = (largestRecord - frame) / 2;
    const event = (bytes: number) => ({
      orderingKey: 'a',
      event: `{"${'x'.repeat(bytes - 6)}":1}`.slice(0, bytes),
    });
    const fitting = [event(Math.floor(half)), event(Math.ceil(half))];
    expect(pack(fitting, { lanes: 1, lineEnd: '\n' }).records.map(({ data }) => data.length)).toEqual([
      largestRecord,
    ]);

    const tooMuch = [event(Math.floor(half)), event(Math.ceil(half) + 1)];
    expect(pack(tooMuch, { lanes: 1, lineEnd: '\n' }).records).toHaveLength(2);
  });

  test('counts bytes, not characters', () => {
    const wide = { orderingKey: 'a', event: JSON.stringify({ text: '中'.repeat(200_000) }) };
    expect(pack([wide, wide], { lanes: 1, lineEnd: '' }).records).toHaveLength(2);
  });

  test('leaves out an event that is too large for any record, and keeps the others', () => {
    const huge = { orderingKey: 'a', event: `{"a":"${'x'.repeat(largestRecord)}"}` };
    const [first, second] = small(2);
    const { records, oversized } = pack(
      [first, huge, second].filter((one) => one !== undefined),
      {
        lanes: 1,
        lineEnd: '',
      },
    );
    expect(oversized).toEqual([1]);
    expect(records.flatMap(eventsIn)).toEqual([{ i: 0 }, { i: 1 }]);
  });
});

describe('a call', () => {
  const recordsOf = fc.array(
    fc.record({
      lane: fc.constantFrom('0/3', '1/3', '2/3'),
      bytes: fc.constantFrom(20, 600_000, largestRecord),
    }),
    { maxLength: 20 },
  );
  const made = (sizes: { lane: string; bytes: number }[]) =>
    sizes.map(({ lane, bytes }, index) => ({ lane, data: Buffer.alloc(bytes), index }));

  test.each([
    ['PutRecords', putRecordsLimits],
    ['PutRecordBatch', putRecordBatchLimits],
    ['a small call', { records: 2, bytes: 1_300_000, perLane: 1 }],
  ])('stays within the limits, keeps order, and leaves nothing behind: %s', (_, limits) => {
    fc.assert(
      fc.property(recordsOf, (sizes) => {
        let waiting = made(sizes);
        const sent: typeof waiting = [];
        while (waiting.length > 0) {
          const call = nextBatch(waiting, limits);
          expect(call.length).toBeGreaterThan(0);
          expect(call.length).toBeLessThanOrEqual(limits.records);
          expect(call.reduce((bytes, { data }) => bytes + data.length, 0)).toBeLessThanOrEqual(limits.bytes);
          for (const its of Map.groupBy(call, ({ lane }) => lane).values()) {
            expect(its.length).toBeLessThanOrEqual(limits.perLane);
          }
          sent.push(...call);
          waiting = waiting.filter((record) => !call.includes(record));
        }
        for (const its of Map.groupBy(sent, ({ lane }) => lane).values()) {
          const order = its.map(({ index }) => index);
          expect(order).toEqual(order.toSorted((a, b) => a - b));
        }
        expect(sent).toHaveLength(sizes.length);
      }),
    );
  });
});
