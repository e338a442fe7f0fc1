/** Details are signed as `JSON.stringify(JSON.parse(text))` writes them. The Python reader must write the same. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasPython, startPython } from '../../docs/tenants/programs.ts';

const special = [
  '[{"type":"x","2":"b","1":"a","01":"c","-1":"d","4294967295":"e","4294967294":"f"}]',
  '[0.0000001,1e-7,0.000001,1e21,1e20,123456789012345680000,-0,-0.0,1.50,12e3,5e-324,1.7976931348623157e308]',
  '[9007199254740993,0.1,100,-12.5,1e5]',
  String.raw`["\u0007\b\f\n\r\t\"\\/\u007f", "Café ☕ 👩‍👩‍👧", null, true, {}]`,
];

(hasPython ? test : test.skip)('Python writes details as JSON.stringify does', async () => {
  const random = fc.sample(fc.json({ stringUnit: 'grapheme' }), { numRuns: 500, seed: 1 });
  const texts = [...special, ...random];
  const program = startPython('test/packages/evidence/details.py');
  program.stdin.end(texts.join('\n'));
  const [written] = await Promise.all([text(program.stdout), once(program, 'close')]);
  const expected = texts.map((one) => JSON.stringify(JSON.parse(one)));
  expect(written.trimEnd().split('\n')).toEqual(expected);
});
