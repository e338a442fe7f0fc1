import { describe, expect, test } from '@jest/globals';
import { headersFor, type PageNeeds } from '#ui/headers.ts';
import { appHeaders } from '../../../pages/app/headers.ts';
import { siteHeaders } from '../../../pages/bank/headers.ts';
import { consoleHeaders } from '../../../pages/console/headers.ts';
import { exportsPageHeaders } from '../../../pages/exports/headers.ts';

const policyOf = (headers: Readonly<Record<string, string>>): string[] =>
  (headers['Content-Security-Policy'] ?? '').split('; ');

const usedBy = (headers: Readonly<Record<string, string>>): string[] =>
  (headers['Permissions-Policy'] ?? '').split(', ').filter((feature) => !feature.endsWith('=()'));

const passkeys = ['publickey-credentials-create=(self)', 'publickey-credentials-get=(self)'];

describe('the headers of a page', () => {
  test.each([
    ['of the web app', appHeaders, 'none', 'DENY'],
    ['of the page for tenants', exportsPageHeaders(), 'none', 'DENY'],
    ['of the help desk', consoleHeaders(), 'none', 'DENY'],
    ['of the demo bank', siteHeaders, 'self', 'SAMEORIGIN'],
  ])("%s allow no code but the page's own files, and no frame of others", (_, headers, frame, option) => {
    const policy = policyOf(headers);
    for (const directive of [
      ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"],
      ...["base-uri 'none'", `frame-ancestors '${frame}'`, "require-trusted-types-for 'script'"],
    ])
      expect(policy).toContain(directive);
    expect(policy.join()).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
    expect(headers).toMatchObject({
      'X-Frame-Options': option,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
  });

  test.each<[string, PageNeeds, string[]]>([
    ['nothing', {}, []],
    ['the camera', { camera: true }, ['camera=(self)']],
    ['passkeys', { passkeys: true }, passkeys],
    ['both', { camera: true, passkeys: true }, ['camera=(self)', ...passkeys]],
  ])('allow the page what it needs of the device: %s', (_, needs, used) => {
    expect(usedBy(headersFor(needs))).toEqual(used);
  });

  test('differ between the pages only in what each needs', () => {
    const least = policyOf(headersFor());
    const differs = (headers: Readonly<Record<string, string>>): string[] => [
      ...policyOf(headers).filter((directive) => !least.includes(directive)),
      ...usedBy(headers),
    ];
    expect(differs(exportsPageHeaders())).toEqual([]);
    expect(differs(exportsPageHeaders('https://sign-in.example'))).toEqual([
      "connect-src 'self' https://sign-in.example",
    ]);
    expect(differs(consoleHeaders('https://sign-in.example'))).toEqual([
      "connect-src 'self' https://sign-in.example",
    ]);
    expect(differs(siteHeaders)).toEqual([
      "frame-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'self'",
    ]);
    expect(differs(appHeaders)).toEqual([
      ...["manifest-src 'self'", "worker-src 'self'", 'trusted-types omi-service-worker'],
      ...['camera=(self)', ...passkeys],
    ]);
    expect(least).toEqual(expect.arrayContaining(["form-action 'none'", "trusted-types 'none'"]));
  });
});
