import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eventTexts, eventTextsOfObject } from '#consumer';

const recordOf = (texts: readonly string[]): string => `{"events":[${texts.join(',')}]}`;

describe('eventTexts', () => {
  test('cuts events out of a record byte for byte, whatever is in their texts', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 })), (events) => {
        const texts = events.map((event) => JSON.stringify(event));
        expect(eventTexts(recordOf(texts))).toEqual(texts);
        expect(eventTexts(Buffer.from(recordOf(texts)))).toEqual(texts);
      }),
    );
  });

  test('keeps white space, escapes and digits inside an event, and drops white space around it', () => {
    const text = '{ "a" : "\\"}{\\\\", "n":1.0e0 ,"e":"\\u00e9" }';
    expect(eventTexts(` { "events" : [ ${text} , {} ] } `)).toEqual([text, '{}']);
    expect(eventTexts('{"events":[]}')).toEqual([]);
  });

  test.each([
    '',
    '[]',
    '{"events":{}}',
    '{"events":[1]}',
    '{"events":[{]}',
    '{"events":[{}',
    '{"events":[{"a":"}]}',
    '{"events":[{} {}]}',
  ])('refuses what is no record: %s', (text) => {
    expect(() => eventTexts(text)).toThrow('malformed-record');
  });

  test('reads an object line by line', async () => {
    const body = `${recordOf(['{"a":1}', '{"b":2}'])}\n${recordOf(['{"c":3}'])}\n`;
    const found: string[] = [];
    for await (const text of eventTextsOfObject(body)) found.push(text);
    expect(found).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
  });
});
