import { describe, expect, test } from '@jest/globals';
import { DeviceError, scan } from '#device';

const api = 'https://api.example.com';
const link = `https://app.example.com/enrol#v=1&api=${api}&code=x-_1`;

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof DeviceError) return error.code;
    throw error;
  }
  return 'accepted';
}

test('a link contains the service and the code', () => {
  expect(scan(link)).toEqual({ baseUrl: api, code: 'x-_1' });
  expect(scan(`  ${link}\n`)).toEqual({ baseUrl: api, code: 'x-_1' });
  expect(scan(link.replace(api, encodeURIComponent(api)))).toEqual({ baseUrl: api, code: 'x-_1' });
});

test('a base URL may have a path, which a stage of API Gateway has', () => {
  expect(scan(link.replace(api, `${api}/prod`)).baseUrl).toBe(`${api}/prod`);
});

test.each(['http://localhost:8081', 'http://127.0.0.1:8081', 'http://[::1]:8081'])(
  'a link of the own machine needs no TLS: %s',
  (origin) => {
    const local = `${origin}/enrol#v=1&api=${origin}&code=x`;
    expect(scan(local)).toEqual({ baseUrl: origin, code: 'x' });
  },
);

describe('an invalid link', () => {
  const withApi = (other: string): string => link.replace(api, other);

  const invalid = {
    'another QR code': 'WIFI:S:network;;',
    'an empty text': '',
    'no fragment': 'https://app.example.com/enrol',
    'another path': link.replace('/enrol', '/other'),
    'an app without TLS': link.replace('https://app', 'http://app'),
    'a script': `javascript:/enrol#v=1&api=${api}&code=x`,
    'cut after the version': 'https://app.example.com/enrol#v=1',
    'cut after the base URL': `https://app.example.com/enrol#v=1&api=${api}`,
    'no version': link.replace('v=1&', ''),
    'an empty code': `https://app.example.com/enrol#v=1&api=${api}&code=`,
    'two codes': `${link}&code=y`,
    'two base URLs': `${link}&api=https://evil.example`,
    'two versions': `${link}&v=1`,
    'a code with a line end': `${link}%0d%0aX: y`,
    'a code that is too long': link + 'x'.repeat(600),
    'a very long text': `${link}&padding=${'x'.repeat(1_000_000)}`,
    'a base URL without TLS': withApi('http://api.example.com'),
    'a base URL that begins like a local one': withApi('http://localhost.evil.example'),
    'a base URL of a script': withApi('javascript:alert(1)'),
    'a base URL that is a path': withApi('/'),
    'a base URL with a user': withApi('https://api.example.com:x@evil.example'),
    'a base URL with a backslash': withApi('https://api.example.com\\@evil.example'),
    'a base URL with a slash at its end': withApi(`${api}/`),
    'a base URL with a query': withApi(`${api}?x=1`),
    'a base URL with a fragment': withApi(encodeURIComponent(`${api}#x`)),
    'a base URL with dots': withApi(`${api}/a/../b`),
    'a base URL with a default port': withApi(`${api}:443`),
    'a base URL with a space before it': withApi(`%20${api}`),
    'a base URL of letters that look alike': withApi('https://аpi.example.com'),
  };
  test.each(Object.entries(invalid))('is rejected: %s', (_, text) => {
    expect(codeOf(() => scan(text))).toBe('invalid-link');
  });
});

test.each(['2', '01', '1.0', '__proto__'])('a link of version %s needs another app', (version) => {
  expect(codeOf(() => scan(link.replace('v=1', `v=${version}`)))).toBe('unsupported-link');
});

describe('an app of one service', () => {
  test('accepts links of that service', () => {
    for (const baseUrl of [api, `${api}/`]) expect(scan(link, { baseUrl }).baseUrl).toBe(api);
  });

  test.each([
    'https://evil.example',
    `${api}.evil.example`,
    `${api}/prod`,
    `${api}:8443`,
    'http://localhost',
  ])('rejects a link to %s', (other) => {
    const foreign = link.replace(api, other);
    expect(codeOf(() => scan(foreign, { baseUrl: api }))).toBe('foreign-link');
  });
});
