import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { enrolmentKeyOf } from '../../core/devices/protocol/enrolment-key.ts';
import { readMessage, verify } from '../../core/devices/protocol/jws.ts';
import { thumbprintOf } from '../../core/devices/device.ts';
import type { DeviceKey } from '../../core/devices/device-key.ts';
import { messageHashOf, sha256 } from '../../core/kernel/identifiers.ts';
import { problems } from '../../core/http/problems.ts';
import { openApiDocument } from '../../tools/documents/api/document.ts';
import { refusals } from '../../tools/documents/api/refusals.ts';
import { routes } from '../../lambdas/routes.ts';
import { exampleHeader, exampleMessage, messageNames } from '../support/documented-examples.ts';

const page = readFileSync('docs/device-protocol.md', 'utf8');

function exampleOf(name: string): string {
  const block = new RegExp(`<!-- example: ${name} -->\\n\\n\`\`\`\\w*\\n(.*?)\\n\`\`\``, 's').exec(page);
  return block?.[1] ?? '';
}

const sectionOf = (title: string): string => page.split(/^## /m).find((text) => text.startsWith(title)) ?? '';

/** Rows of the form "| 409 `code` | … |". */
const refusalsIn = (title: string): [string, number][] =>
  [...sectionOf(title).matchAll(/^\| (\d{3}) `([a-z-]+)` \|/gm)].map(([, status, code]) => [
    code ?? '',
    Number(status),
  ]);

test('docs/device-protocol.md has every call of a device', () => {
  const calls = [...page.matchAll(/^\| `([A-Z]+) (\/omi\/[^`]+)` \| `[a-z-]+\+jws` \|/gm)];
  const ofDevices = routes.filter(({ caller }) => caller === 'device');
  expect(calls.map(([, method, path]) => `${method} ${path}`).sort()).toEqual(
    ofDevices.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});

test('docs/device-protocol.md has every type of message', () => {
  const types = new Set([...page.matchAll(/`(omi-[a-z-]+\+jws)` \|/g)].map(([, type]) => type));
  expect(types).toEqual(new Set(messageNames.map((name) => exampleHeader(name).typ)));
});

test('the table of the context has every member', () => {
  const [, context = ''] = sectionOf('Challenges').split('\n### ');
  const listed = [...context.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  const { properties } = openApiDocument.components.schemas['Context'] as { properties: object };
  expect(listed.toSorted()).toEqual(Object.keys(properties).toSorted());
});

describe.each([
  ['Enrolment', 'enrol-device', /^(enrolment-|confirmation-|too-many|user-)/],
  [
    'Answer',
    'answer-challenge',
    /^(?!too-large|unsupported|invalid-request|unavailable|service|temporarily)/,
  ],
] as const)('the table of answers to "%s"', (title, lambda, isOwn) => {
  const listed = refusalsIn(title);

  test('has the errors of the call', () => {
    const expected = refusals[lambda].filter((code) => isOwn.test(code));
    expect(listed.map(([code]) => code)).toEqual(expect.arrayContaining(expected));
  });

  test.each(listed)('has the right status for %s', (code, status) => {
    expect(problems[code as keyof typeof problems].status).toBe(status);
  });
});

describe('the example', () => {
  const jws = exampleOf('jws');
  const header = JSON.parse(exampleOf('header')) as Record<string, unknown>;
  const claims = JSON.parse(exampleOf('claims')) as Record<string, unknown>;

  test('has the documented header and claims', () => {
    expect(decodeProtectedHeader(jws)).toEqual(header);
    expect(readMessage(jws, 'omi-response+jws')).toMatchObject({ header, claims });
    expect(claims['messageHash']).toBe(messageHashOf('Change the payment method to card ending 4242?'));
  });

  test('signs the documented context and names its key', () => {
    expect(claims['contextHash']).toBe(sha256(exampleOf('context')));
    expect(claims['jkt']).toBe(thumbprintOf(JSON.parse(exampleOf('key')) as DeviceKey));
  });

  test('verifies with the documented key', async () => {
    const enrolment = readMessage(exampleMessage('Enrolment'), 'omi-enrolment+jws');
    expect(JSON.parse(exampleOf('key'))).toEqual(enrolmentKeyOf(enrolment));
    await verify(readMessage(jws, 'omi-response+jws'), {
      baseUrls: [String(claims['aud'])],
      key: enrolmentKeyOf(enrolment),
      now: Number(claims['iat']) * 1000,
    });
  });
});
