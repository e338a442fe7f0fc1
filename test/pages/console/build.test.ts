import { expect, test } from '@jest/globals';
import { buildConsole } from '../../../pages/console/build.ts';
import { isSignedInPage } from '../signed-in-page.ts';

const script = isSignedInPage(buildConsole, 25_000);

test('the page keeps nothing in the browser', () => {
  expect(script()).not.toMatch(/indexedDB|document\.cookie|serviceWorker|localStorage|sessionStorage/);
});
