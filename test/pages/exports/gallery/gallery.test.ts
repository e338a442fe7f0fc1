import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { animationsAfterChange } from '#ui/testing/animations.ts';
import { useGallery } from '#ui/testing/gallery-page.ts';
import { testStates } from '#ui/testing/test-states.ts';
import { stateLabels } from '../../../../pages/exports/src/text/labels.ts';
import { describeIn } from '../../../support/browser/browser-of-run.ts';
import { useBrowser } from '../../../support/browser/use-chromium.ts';
import { states } from './states.ts';
import { renewPicture } from '../../../support/browser/pictures.ts';

const names = Object.keys(states);

/** Those that have what no other one has: axe takes a second for each. */
const distinct = [
  ...[
    'sign-in-refused',
    'sign-in-member-refused',
    'member',
    'asking',
    'exports-parked',
    'no-exports',
    'out-of-date',
    'parked',
    'bucket-gap',
  ],
  ...['bucket-unproven', 'paused-by-operator', 'only-reading', 'test-failed', 'test-refused'],
  ...['pause-confirming', 'replay-wrong', 'replays', 'deliveries', 'ledger-hour', 'ledger-failed'],
  ...['log-first', 'log-changed'],
];

/** The pictures of the documentation. */
const pictures = ['exports-parked', 'parked', 'ledger-hour'];

const describe = await describeIn('chromium');

const run = promisify(execFile);

/** Runs the lines in a shell whose user types the text. Returns the call's header, and all processes while it was answered. */
async function runTyping(lines: (url: string) => string, typed: string) {
  const seen = { authorization: '', processes: '' };
  const server = createServer((request, response) => {
    seen.authorization = request.headers.authorization ?? '';
    void run('ps', ['-eo', 'args']).then(({ stdout }) => {
      seen.processes = stdout;
      response.end('{"access_token":"token"}');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  try {
    const { port } = server.address() as AddressInfo;
    const shell = run('bash', ['-c', lines(`http://127.0.0.1:${port}/`)]);
    shell.child.stdin?.end(`${typed}\n`);
    const { stdout } = await shell;
    return { ...seen, stdout };
  } finally {
    server.close();
  }
}

describe('the exports page in every state', () => {
  const gallery = useGallery(
    useBrowser(),
    {
      ...{ script: 'test/pages/exports/gallery/gallery.tsx', style: 'pages/exports/src/styles/page.css' },
      ...{ root: 'page', names },
    },
    { locale: 'en-GB', timezoneId: 'Pacific/Auckland' },
  );

  testStates(gallery, { examined: distinct, width: 1_000 });

  test('moves the focus to the heading of what is shown anew', async () => {
    await gallery().set({ width: 390 });
    await gallery().show('sign-in');
    await gallery().show('exports');
    expect(await gallery().page.locator('h1:focus').count()).toBe(1);
  });

  test('shows all columns on a phone, without scrolling to the side', async () => {
    await gallery().set({ width: 320 });
    await gallery().show('exports-parked');
    const table = gallery().page.getByRole('region', { name: 'Exports' });
    expect(await table.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
    expect(await table.innerText()).toMatch(/Public events[^]*You must act[^]*omi-events[^]*120,034[^]*212/);
    await gallery().expectAccessible(['exports-parked']);
  });

  test('suggests a command that hides the secret from other users of the machine', async () => {
    await gallery().show('sign-in');
    const command = await gallery().page.locator('pre').innerText();
    const secret = randomUUID();
    const { stdout, authorization, processes } = await runTyping(
      (url) => command.replace('https://tokens.example.com/oauth2/token', url),
      `client:${secret}`,
    );
    expect(stdout).toContain('"access_token":"token"');
    expect(authorization).toBe(`Basic ${Buffer.from(`client:${secret}`).toString('base64')}`);
    expect(processes).toContain('curl');
    expect(processes).not.toContain(secret);
  });

  test('says once that nobody needs to act', async () => {
    await gallery().show('degraded');
    const text = await gallery().page.locator('main').innerText();
    expect(text.match(/Nobody needs to act/g)).toHaveLength(1);
  });

  test('shows a state in words, in a colour and with an icon', async () => {
    await gallery().set({ width: 1_000 });
    const colours: { state: string; colour: string }[] = [];
    for (const [state, { label }] of Object.entries(stateLabels)) {
      await gallery().show(state === 'paused' ? 'paused-by-tenant' : state);
      const chip = gallery().page.locator('.chip').first();
      expect(await chip.textContent()).toBe(label);
      expect(await chip.locator('svg').count()).toBe(1);
      const colour = await chip.evaluate((element) => getComputedStyle(element).backgroundColor);
      colours.push({ state, colour });
    }
    const sharing = colours.filter(({ state, colour }) =>
      colours.some((other) => other.state !== state && other.colour === colour),
    );
    expect(colours).toHaveLength(5);
    expect(sharing).toEqual([]);
  });

  test('shows the colours of a state without transition when reduced motion is set', async () => {
    await gallery().set({ width: 1_000 });
    await gallery().show('test-running');
    expect(await animationsAfterChange(gallery().page)).toEqual([]);
  });

  test('shows the same hours as bars and as rows of a table', async () => {
    await gallery().set({ width: 1_000 });
    await gallery().show('ledger-hour');
    const bars = await gallery()
      .page.locator('.chart .amount')
      .evaluateAll((all) => all.map((bar) => Number(bar.getAttribute('height'))));
    const counts = await gallery()
      .page.locator('.ledger tbody td.number:nth-child(2)')
      .evaluateAll((all) => all.map((cell) => Number(cell.textContent.replaceAll(',', ''))));
    expect(bars).toHaveLength(24);
    // The newest hour is last among the bars and first in the table.
    const most = Math.max(...counts);
    const expected = counts
      .toReversed()
      .map((count) => (count === 0 ? 0 : Math.max(1.5, (100 * count) / most)));
    expect(bars).toEqual(expected);
    expect(counts).toContain(0);
  });

  // Drawn when somebody asks for them.
  if (process.env['OMI_SCREENSHOTS'] === '1')
    test.each(['light', 'dark'] as const)('has pictures (%s)', async (colorScheme) => {
      await gallery().set({ width: 1_000, height: 900, colorScheme });
      for (const name of pictures) {
        await gallery().show(name);
        await renewPicture(`tenants-${name}-${colorScheme}.png`, gallery().page.locator('body'));
      }
    });
});
