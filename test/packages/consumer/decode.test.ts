/** What arrives becomes events: a record of a stream, the lines of an object. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  ConsumerError,
  decodeObject,
  decodeRecord,
  eventTextsOfObject,
  momentOf,
  sortByTime,
  type Event,
} from '#consumer';
import { event, recordOf } from './support/events.ts';

const awkward = 'Größe\u2028🔑\u0085"\\n';

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    await Promise.resolve();
    yield bytes.subarray(start, start + size);
  }
}

async function all(events: AsyncIterable<Event>): Promise<Event[]> {
  const found: Event[] = [];
  for await (const one of events) found.push(one);
  return found;
}

const codeOf = (act: () => unknown): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof ConsumerError ? error.code : String(error);
  }
};

describe('a record', () => {
  const events = [event('a', { payload: { awkward } }), event('b')];

  test('may be text or bytes', () => {
    expect(decodeRecord(recordOf(...events))).toEqual(events);
    expect(decodeRecord(Buffer.from(recordOf(...events)))).toEqual(events);
    expect(decodeRecord(readFileSync('docs/examples/exported/public.json'))).toHaveLength(3);
  });

  test('has no events if it is a test', () => {
    expect(decodeRecord('{"events":[]}')).toEqual([]);
  });

  const { metadata } = event('a');
  test.each([
    ['', 'empty'],
    ['{"events":[]', 'a part of one'],
    ['[]', 'another type of JSON'],
    ['null', 'null'],
    ['{"event":{}}', 'another object'],
    ['{"events":{}}', 'not a list'],
    ['{"events":[null]}', 'not an event'],
    ['{"events":[{"metadata":null}]}', 'without metadata'],
    [JSON.stringify({ events: [{ metadata: { ...metadata, type: 1 } }] }), 'a type that is not a string'],
  ])('is refused: %s, which is %s', (data) => {
    expect(codeOf(() => decodeRecord(data))).toBe('malformed-record');
  });

  test.each(['category', 'eventId', 'metadataVersion', 'occurredTime', 'tenantId', 'type'])(
    'is refused with an event without its %s',
    (member) => {
      const data = JSON.stringify({
        events: [event('a'), { metadata: { ...metadata, [member]: undefined } }],
      });
      expect(codeOf(() => decodeRecord(data))).toBe('malformed-record');
    },
  );

  test('is refused if it is not UTF-8', () => {
    const bytes = Buffer.from(recordOf(event('ä')));
    bytes[bytes.indexOf(0xc3) + 1] = 0x20;
    expect(codeOf(() => decodeRecord(bytes))).toBe('malformed-record');
  });
});

describe('numbers that a double cannot hold', () => {
  const numbers =
    '[12345678901234567890,9007199254740993,1e999,1e-400,0.1234567890123456789,-0,7,1.50,1e5,0.1]';
  const record = recordOf(event('a', { payload: { numbers: 0 } })).replace(
    '"numbers":0',
    `"numbers":${numbers}`,
  );
  const numbersIn = ([one]: Event[]): unknown => (one?.payload as { numbers: unknown }).numbers;

  test('are rounded, or keep their text if the program asks for it', async () => {
    expect(numbersIn(decodeRecord(record))).toEqual(JSON.parse(numbers));
    const kept = ['12345678901234567890', '9007199254740993', '1e999', '1e-400', '0.1234567890123456789'];
    const expected = [...kept, -0, 7, 1.5, 1e5, 0.1];
    expect(numbersIn(decodeRecord(record, { keepNumbers: true }))).toEqual(expected);
    expect(numbersIn(await all(decodeObject(record, { keepNumbers: true })))).toEqual(expected);
  });
});

describe('an object', () => {
  test.each([
    ['decodeObject', decodeObject],
    ['eventTextsOfObject', eventTextsOfObject],
  ])('names the line that is broken, and its first byte: %s', async (_, read) => {
    const good = recordOf(event('ä'));
    const body = Buffer.from(`${good}\n\n${good}\n{"events":[\n${good}`);
    const place = `Line 4, which begins at byte ${2 * (Buffer.byteLength(good) + 1) + 1}, is not a record`;
    for (const size of [7, body.length]) {
      const reading = async (): Promise<void> => {
        for await (const _one of read(inChunks(body, size)));
      };
      await expect(reading()).rejects.toMatchObject({
        code: 'malformed-record',
        message: expect.stringContaining(place),
      });
    }
  });

  test('is read line by line, wherever its bytes are split', async () => {
    const events = [event('a', { payload: { awkward } }), event('b'), event('c')];
    const [first, second, third] = events as [Event, Event, Event];
    const text = `${recordOf(first, second)}\n\n${recordOf(third)}\n`;
    expect(await all(decodeObject(text))).toEqual(events);
    expect(await all(decodeObject(Buffer.from(text)))).toEqual(events);
    expect(await all(decodeObject(text.trimEnd()))).toEqual(events);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: text.length + 10 }), async (size) => {
        expect(await all(decodeObject(inChunks(Buffer.from(text), size)))).toEqual(events);
      }),
      { numRuns: 60 },
    );
  });

  test('is refused if it ends within a line, after the complete lines', async () => {
    const text = `${recordOf(event('a'))}\n${recordOf(event('b')).slice(0, -5)}`;
    const found: Event[] = [];
    const read = async () => {
      for await (const one of decodeObject(text)) found.push(one);
    };
    await expect(read()).rejects.toMatchObject({ code: 'malformed-record' });
    expect(found).toHaveLength(1);
  });
});

describe('times', () => {
  const at = (occurredTime: string): Event => event('a', { metadata: { occurredTime } });

  test.each([
    ['2026-03-01T10:30+01', 0],
    ['2026-03-01T09:30:00,5Z', 500],
    ['2026-03-01T05:00:60.25-0430', 60_250],
    ['2026-03-01T09:30:00.123456Z', 123.456],
  ])('are read: %s', (time, more) => {
    expect(momentOf(at(time))).toBeCloseTo(Date.UTC(2026, 2, 1, 9, 30) + more, 3);
  });

  test('are refused if they are not ISO 8601 with an offset', () => {
    const others = ['2026-13-01T10:30Z', '2026-03-01T25:30Z', 'any letterT10:30Z', '2026-03-01T10:30+99:99'];
    for (const time of ['', 'yesterday', '2026-03-01T10:30', '2026-03-01', ...others])
      expect(codeOf(() => momentOf(at(time)))).toBe('malformed-time');
  });

  test('sort events of a bucket, and equal times keep their order', () => {
    const times = [
      '2026-03-01T10:30:01+01',
      '2026-03-01T09:30Z',
      '2026-03-01T10:30+01',
      '2026-03-01T09:29:59,9Z',
    ];
    const events = times.map(at);
    expect(sortByTime(events)).toEqual([3, 1, 2, 0].map((index) => events[index]));
  });
});
