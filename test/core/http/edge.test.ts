import { describe, expect, test } from '@jest/globals';
import { cameThroughEdge, edgeOf, viewerAddress } from '../../../core/http/edge.ts';

const secrets = ['a', 'b', 'c'].map((letter) => letter.repeat(43));
const edge = { secrets, isRequired: true };

describe('a request through CloudFront', () => {
  test.each(secrets)('is recognized by a secret: the one before, the present one or the next', (secret) => {
    expect(cameThroughEdge(edge, { 'x-omi-edge': secret })).toBe(true);
  });

  test.each([
    undefined,
    '',
    'a',
    'a'.repeat(42),
    'a'.repeat(44),
    `${'a'.repeat(42)}b`,
    `${'a'.repeat(43)},x`,
    secrets.join(' '),
  ])('is not recognized by %j', (value) => {
    expect(cameThroughEdge(edge, { 'x-omi-edge': value })).toBe(false);
    expect(cameThroughEdge(edge)).toBe(false);
  });
});

test.each([
  ['198.51.100.10:46532', '198.51.100.10'],
  ['2001:db8:85a3:0:0:8a2e:370:7334:46532', '2001:db8:85a3:0:0:8a2e:370:7334'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['nonsense:1', undefined],
  ['', undefined],
  [undefined, undefined],
])('the caller of %j is %j', (header, address) => {
  expect(viewerAddress({ 'cloudfront-viewer-address': header })).toBe(address);
});

test('an API without configuration has no CloudFront', () => {
  expect(edgeOf({})).toBeUndefined();
  const EDGE_SECRETS = 'a b';
  expect(edgeOf({ EDGE_SECRETS, EDGE_REQUIRED: 'false' })).toEqual({
    secrets: ['a', 'b'],
    isRequired: false,
  });
  expect(edgeOf({ EDGE_SECRETS, EDGE_REQUIRED: 'true' })).toEqual({ secrets: ['a', 'b'], isRequired: true });
  expect(edgeOf({ EDGE_SECRETS: '' })).toEqual({ secrets: [], isRequired: false });
});
