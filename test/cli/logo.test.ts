/** Which files are a tenant's logo. Nothing that could run, load or hide anything is one, and nothing is cleaned. */
import { describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLogo } from '../../cli/tenants/logo/read-logo.ts';
import { UsageError } from '../../cli/command-error.ts';
import { pngOf } from '../support/png.ts';

async function read(bytes: Uint8Array | string) {
  const folder = await mkdtemp(join(tmpdir(), 'omi-logo-'));
  try {
    await writeFile(join(folder, 'logo'), bytes);
    return await readLogo(join(folder, 'logo'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const refusal = async (bytes: Uint8Array | string): Promise<string> => {
  const error: unknown = await read(bytes).then(
    () => 'accepted',
    (reason: unknown) => reason,
  );
  if (error instanceof UsageError) return error.message;
  throw new Error(`Expected a refusal, not ${String(error)}`);
};

const svg = (inner: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 24 24"${attributes}>${inner}</svg>`;
const shape = (attributes: string): string => svg(`<path d="M0 0h24v24z" ${attributes}/>`);

describe('an SVG', () => {
  test.each([
    shape('fill="#0a7d4f" stroke="rgb(0, 10%, 0)" transform="translate(1,2) rotate(-4.5e1)"'),
    `<?xml version="1.0" encoding="utf-8" standalone="no"?>\n<!-- Made by hand -->\n${shape('fill="none"')}\n`,
    svg(
      '<title>Bank &amp; Söhne</title><defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient>' +
        '<radialGradient id="b" xlink:href="#a"/><clipPath id="c"><circle cx="1" cy="1" r="1"/></clipPath></defs>' +
        '<g clip-path="url(#c)"><rect fill="url(#b)" width="24" height="24"/></g>',
      ' width="24" height="24"',
    ),
    `\ufeff${shape('')}`,
  ])('of shapes and colours is a logo, byte for byte: %s', async (text) => {
    expect(await read(text)).toEqual({ format: 'svg', bytes: Buffer.from(text) });
  });

  test.each<[string, string]>([
    [svg('<script>alert(1)</script>'), '<script>'],
    [svg('<SCRIPT href="x"/>'), '<SCRIPT>'],
    [svg('<g><x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script></g>'), '<x:script>'],
    [svg('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">Hi</p></foreignObject>'), '<foreignObject>'],
    [svg('<path xmlns="http://www.w3.org/1999/xhtml"/>'), '<path>'],
    [svg('<style>path{fill:url(https://evil.example)}</style>'), '<style>'],
    [svg('<image href="https://evil.example/a.png"/>'), '<image>'],
    [svg('<use href="#a"/>'), '<use>'],
    [svg('<a href="https://evil.example"><path/></a>'), '<a>'],
    [svg('<animate attributeName="href" to="javascript:alert(1)"/>'), '<animate>'],
    [svg('<set attributeName="onload"/>'), '<set>'],
    [svg('<mask id="a"/>'), '<mask>'],
    [svg('<filter id="a"/>'), '<filter>'],
    [svg('<text>Bank</text>'), '<text>'],
    [svg('', ' onload="alert(1)"'), 'onload of <svg>'],
    [shape('OnClick="alert(1)"'), 'OnClick of <path>'],
    [shape('style="fill:url(https://evil.example)"'), 'style of <path>'],
    [shape('class="a"'), 'class of <path>'],
    [shape('href="#a"'), 'href of <path>'],
    [shape('clip-path="url(#a)"'), 'clip-path of <path>'],
    [shape('xml:base="https://evil.example"'), 'xml:base of <path>'],
    [shape('fill="url(https://evil.example/#a)"'), 'fill of <path>'],
    [shape('fill="URL( //evil.example )"'), 'fill of <path>'],
    [shape('fill="u\\72l(//evil.example)"'), 'fill of <path>'],
    [shape('fill="&#117;rl(//evil.example)"'), 'fill of <path>'],
    [shape('fill="red url(#a)"'), 'fill of <path>'],
    [shape('fill="var(--a)"'), 'fill of <path>'],
    [shape('fill="image-set(\'a.png\' 1x)"'), 'fill of <path>'],
    [svg('<linearGradient xlink:href="https://evil.example#a"/>'), 'xlink:href of <linearGradient>'],
    [svg('<linearGradient href="javascript:alert(1)"/>'), 'href of <linearGradient>'],
    [svg('<radialGradient href="a.svg"/>'), 'href of <radialGradient>'],
    [`<!DOCTYPE svg>${shape('')}`, 'DOCTYPE'],
    [`<!DOCTYPE svg [<!ENTITY a "b">]>${shape('')}`, 'DOCTYPE'],
    [svg('<title>&a;</title>'), 'well-formed'],
    [`<?xml-stylesheet href="https://evil.example"?>${shape('')}`, 'not xml-stylesheet'],
    [svg('<?php echo 1 ?>'), 'not php'],
    [svg('<title><![CDATA[<script>]]></title>'), 'not #cdata'],
    [svg('<path d="M0 0"'), 'well-formed'],
    [svg('<path d=M0/>'), 'well-formed'],
    [`${shape('')}<script/>`, 'well-formed'],
    ['<svg viewBox="0 0 1 1"/>', '<svg>'],
    ['<html xmlns="http://www.w3.org/1999/xhtml"/>', '<html>'],
    ['', 'well-formed'],
    [`<?xml version="1.0" encoding="utf-7"?>${shape('')}`, 'UTF-8'],
  ])('outside the allow-list is refused with the reason: %s', async (text, reason) => {
    expect(await refusal(text)).toContain(reason);
  });
});

describe('a PNG', () => {
  test.each([
    [1, 1],
    [1024, 1024],
  ])('of %d × %d pixels is a logo', async (width, height) => {
    const bytes = pngOf(width, height);
    expect(await read(bytes)).toEqual({ format: 'png', bytes });
  });

  test.each([
    [pngOf(1025, 1), '1025 × 1'],
    [pngOf(1, 50_000), '1 × 50000'],
    [pngOf(0, 1), '0 × 1'],
    [pngOf(1, 1).subarray(0, 20), 'no header'],
    [Buffer.concat([pngOf(1, 1).subarray(0, 8), Buffer.from(svg('<script/>'))]), 'no header'],
  ])('without a header, or too large, is refused', async (bytes, reason) => {
    expect(await refusal(bytes)).toContain(reason);
  });
});

test('a file of another format, above 32 KB, or that cannot be read is refused', async () => {
  expect(await refusal(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))).toContain(
    'Expected a PNG, or an SVG in UTF-8',
  );
  expect(await refusal(Buffer.from(shape(''), 'utf16le'))).toContain('well-formed');
  const padded = (length: number) => shape('').padEnd(length);
  expect(await read(padded(32_768))).toMatchObject({ format: 'svg' });
  expect(await refusal(padded(32_769))).toContain('32769 bytes');
  await expect(readLogo('/nowhere/logo.svg')).rejects.toThrow('ENOENT');
});
