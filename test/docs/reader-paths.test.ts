import { describe, expect, test } from '@jest/globals';
import { diagramOf } from '../../tools/documents/site/diagrams.ts';
import { anchorOf, destinationOf, repositoryUrl } from '../../tools/documents/site/links.ts';
import { withPolicy } from '../../tools/documents/site/policy.ts';
import { places, readerPaths, titleOf, withoutPlace } from '../../tools/documents/site/reader-paths.ts';
import { baseOf, editionOf } from '../../tools/documents/site/versions.ts';

describe('the paths of readers', () => {
  test('have a place for every page of docs/', () => {
    expect(withoutPlace()).toEqual([]);
  });

  test('lead the five readers to pages that exist, each at a place of its own', () => {
    expect(readerPaths.map(({ id }) => id)).toEqual([
      'websites',
      'operators',
      'tenants',
      'devices',
      'project',
    ]);
    expect(new Set(places.values()).size).toBe(places.size);
    for (const source of places.keys()) expect(titleOf(source)).not.toBe(source);
  });
});

describe('a link of a page', () => {
  test('to another page leads to its place, with the same anchor', () => {
    expect(destinationOf('docs/websites.md', 'errors.md#clock-skew')).toEqual({
      kind: 'page',
      href: '/websites/errors.md#clock-skew',
    });
    expect(destinationOf('docs/websites.md', '../packages/website/')).toEqual({
      kind: 'page',
      href: '/websites/package-website.md',
    });
  });

  test('to a file or folder leads to this revision of the repository, if its address is known', () => {
    const file = destinationOf('docs/websites.md', '../package.json');
    const folder = destinationOf('docs/websites.md', 'examples/website-hono/');
    if (file.kind !== 'file' || folder.kind !== 'file') throw new Error('Expected files');
    expect(repositoryUrl(file, 'https://example.org/omi/', 'v1')).toBe(
      'https://example.org/omi/blob/v1/package.json',
    );
    expect(repositoryUrl(folder, 'https://example.org/omi', 'v1')).toBe(
      'https://example.org/omi/tree/v1/docs/examples/website-hono',
    );
    expect(repositoryUrl(file, undefined, 'v1')).toBeUndefined();
  });

  test('within the page, or to another website, stays as it is', () => {
    for (const href of ['#here', 'https://example.org/a.md', 'mailto:a@example.org', '/root'])
      expect(destinationOf('docs/websites.md', href)).toEqual({ kind: 'same' });
  });

  test('to nothing fails the build', () => {
    expect(() => destinationOf('docs/websites.md', 'no-such.md')).toThrow(
      'docs/websites.md links to no-such.md, which does not exist',
    );
  });
});

test.each([
  ['Find a call by its traceId', 'find-a-call-by-its-traceid'],
  ['1. OMI on your machine', '1-omi-on-your-machine'],
  ['invalid_authorization_details', 'invalid_authorization_details'],
  ['The user’s devices, and more', 'the-users-devices-and-more'],
])('the heading "%s" has the anchor that it has at GitHub', (heading, anchor) => {
  expect(anchorOf(heading)).toBe(anchor);
});

describe('a diagram', () => {
  test('a flow becomes the list of its edges, with the labels of its nodes', () => {
    const flow =
      'flowchart TB\n    a[Website] -- token --> b --> c[(tables)]\n    b -. scope .-> d[[SQS: queue]]\n    b[HTTP API] --> a';
    expect(diagramOf(flow).steps).toEqual([
      'Website → HTTP API: token',
      'HTTP API → tables',
      'HTTP API → SQS: queue: scope',
      'HTTP API → Website',
    ]);
  });

  test('a sequence becomes the list of its messages', () => {
    const sequence =
      'sequenceDiagram\n    actor User\n    participant API as Payments API\n    User->>API: pays\n    API-->>User: done';
    expect(diagramOf(sequence).steps).toEqual(['User → Payments API: pays', 'Payments API → User: done']);
  });

  test('of another kind fails the build', () => {
    expect(() => diagramOf('pie\n')).toThrow('The site has no list for a diagram "pie"');
  });
});

describe('an edition', () => {
  test('is the main branch at the root, unless the environment says otherwise', () => {
    const edition = editionOf({ DOCS_ROOT: '', DOCS_VERSION: '' });
    expect(edition).toEqual({ version: 'main', rootPath: '/', versions: [{ version: 'main', path: '' }] });
    expect(baseOf(edition)).toBe('/');
  });

  test('of a release is below the root of all versions', () => {
    const edition = editionOf({ DOCS_ROOT: '/omi', DOCS_VERSION: 'v1.0.0', DOCS_VERSIONS: 'v1.1.0\nv1.0.0' });
    expect(baseOf(edition)).toBe('/omi/v1.0.0/');
    expect(edition.versions.map(({ path }) => path)).toEqual(['', 'v1.1.0/', 'v1.0.0/']);
  });

  test('has no name that could be another path', () => {
    expect(() => editionOf({ DOCS_VERSION: '../x' })).toThrow('not "../x"');
  });
});

test('the policy of a page allows its inline scripts by their hashes, and no others', () => {
  const html = '<meta charset="utf-8"><script>run()</script><script type="module" src="/a.js"></script>';
  expect(withPolicy(html)).toContain(
    "script-src 'self' 'sha256-AvyuiL0SD1mVY3NNxR+V2uo+lhk6RMFrytWmRt6CrJQ=';",
  );
});
