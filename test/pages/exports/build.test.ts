import { expect, test } from '@jest/globals';
import { buildExportsPage } from '../../../pages/exports/build.ts';
import { isSignedInPage } from '../signed-in-page.ts';

const script = isSignedInPage(buildExportsPage, 29_500);

test('the page stores nothing in the browser but its window’s replays and the checkpoints of the log', () => {
  expect(script()).not.toMatch(/indexedDB|document\.cookie|serviceWorker/);
  expect(script().match(/sessionStorage/g)).toHaveLength(1);
  expect(script().match(/localStorage/g)).toHaveLength(1);
});
