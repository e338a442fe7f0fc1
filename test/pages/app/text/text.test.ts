import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { deviceNameOf } from '../../../../packages/website/src/user-agent.ts';
import { tidyName } from '../../../../pages/app/src/text/device-name.ts';
import { originParts } from '../../../../pages/app/src/text/request-origin.ts';
import { clockText, milestoneOf, remainingUntil } from '../../../../pages/app/src/text/remaining-time.ts';
import { deviceName } from '../../../../core/kernel/text.ts';
import { markHidden } from '../../../../core/kernel/hidden-characters.ts';

describe('text by others', () => {
  test.each([
    ['a right-to-left override', 'Pay \u202e00.1€ to', 'Pay [U+202E]00.1€ to'],
    ['an isolate', 'a\u2066b\u2069', 'a[U+2066]b[U+2069]'],
    ['controls', 'a\u0000b\u001bc\u0085', 'a[U+0000]b[U+001B]c[U+0085]'],
    [
      'invisible characters',
      'Ali\u200bce \u00ad\ufeff\u2060\u3164',
      'Ali[U+200B]ce [U+00AD][U+FEFF][U+2060][U+3164]',
    ],
    ['tags', 'a\u{e0041}\u{e007f}', 'a[U+E0041][U+E007F]'],
    ['invisible reordering', '1\u200f0\u061c0', '1[U+200F]0[U+061C]0'],
    ['a misplaced joiner', 'pay\u200dpal', 'pay[U+200D]pal'],
    ['a misplaced selector', 'a\ufe0f', 'a[U+FE0F]'],
    ['a line end', 'two\nlines', 'two[U+000A]lines'],
  ])('shows %s', (_, text, shown) => {
    expect(markHidden(text)).toBe(shown);
  });

  test.each([
    'Café Zoë ☕',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} ☎️ می\u200cخواهم',
    '👨‍👩‍👧 family',
    'هل تريد دفع ٢٥٠ ر.س؟',
  ])('keeps %s', (text) => {
    expect(markHidden(text)).toBe(text);
  });
});

describe('the origin of a request', () => {
  const ip = '192.0.2.44';
  test.each([
    [{ browser: 'Firefox on Windows', place: 'Köln', ip }, ['Firefox on Windows', 'Köln']],
    [{ place: 'Köln', ip }, ['Köln']],
    [{ ip }, [ip]],
    [{}, []],
  ])('%j is shown as %j, with the address only if nothing else is known', (origin, parts) => {
    expect(originParts(origin)).toEqual(parts);
  });
});

describe('the remaining time', () => {
  test.each([
    [86_400_000, '24:00:00'],
    [7_325_000, '2:02:05'],
    [3_600_000, '1:00:00'],
    [3_599_000, '59:59'],
    [105_000, '1:45'],
    [60_001, '1:01'],
    [60_000, '1:00'],
    [1, '0:01'],
    [0, '0:00'],
    [-5_000, '0:00'],
  ])('%i ms is shown as %s', (left, text) => {
    expect(clockText(remainingUntil(1_000_000 + left, 1_000_000))).toBe(text);
  });

  test('is announced at a minute, half a minute and ten seconds', () => {
    const announced = [3601, 90, 61, 60, 31, 30, 11, 10, 1].map((seconds) =>
      milestoneOf(remainingUntil(seconds * 1_000, 0)),
    );
    expect(announced).toEqual([undefined, undefined, undefined, 60, 60, 30, 30, 10, 10]);
  });
});

describe('the name of a device', () => {
  test.each([
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/149.0.0.0 Mobile Safari/537.36',
      'Android, Chrome',
    ],
    ['Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/149.0.0.0 Safari/537.36 Edg/149.0.0.0', 'Windows, Edge'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) Version/18.4 Mobile/15E148 Safari/604.1',
      'iPhone, Safari',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Linux, Firefox'],
    ['', 'Browser'],
  ])('is derived from the user agent: %s', (userAgent, name) => {
    expect(deviceNameOf(userAgent)).toBe(name);
  });

  test.each([
    ['  Anna’s \u0007 laptop\n', 'Anna’s laptop'],
    ['👨‍👩‍👧', '👨‍👩‍👧'],
    ['a\u202eb\ud800', 'a b'],
    [' \t ', ''],
    ['😀'.repeat(70), '😀'.repeat(64)],
    ['a\u200fb\u115fc', 'a b c'],
    [`${'x'.repeat(62)}👨\u200d👩`, `${'x'.repeat(62)}👨`],
    ['گوشی می\u200cنا', 'گوشی می\u200cنا'],
  ])('is shortened and cleaned for the service: %j', (typed, name) => {
    expect(tidyName(typed)).toBe(name);
    expect(name === '' || v.is(deviceName, name)).toBe(true);
  });
});
