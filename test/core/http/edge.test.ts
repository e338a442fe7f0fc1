import { describe, expect, test } from '@jest/globals';
import { cameThroughEdge, edgeOf, viewerAddress } from '../../../core/http/edge.ts';

const edge = { secret: 'a'.repeat(43), isRequired: true };

describe('a request through CloudFront', () => {
  test('is recognized by the secret', () => {
    expect(cameThroughEdge(edge, { 'x-omi-edge': edge.secret })).toBe(true);
  });

  test.each([
    undefined,
    '',
    'a',
    'a'.repeat(42),
    'a'.repeat(44),
    `${'a'.repeat(42)}b`,
    `${'a'.repeat(43)},x`,
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
  expect(edgeOf({ EDGE_SECRET: 's', EDGE_REQUIRED: 'false' })).toEqual({ secret: 's', isRequired: false });
  expect(edgeOf({ EDGE_SECRET: 's', EDGE_REQUIRED: 'true' })).toEqual({ secret: 's', isRequired: true });
});
