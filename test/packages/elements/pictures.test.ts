/** Pictures for the documentation, and what its README says: the brand is the README's own code. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { describeIn } from '../../support/browser/browser-of-run.ts';
import { useChromium } from '../../support/browser/use-chromium.ts';
import { asked, confirmed, devicesOf, pending, phone, service, started, tablet } from './support/scripts.ts';
import { usePages } from './support/use-pages.ts';
import { renewPicture } from '../../support/browser/pictures.ts';

const inChromium = await describeIn('chromium');
const readme = await readFile('packages/elements/README.md', 'utf8');

inChromium('a picture', () => {
  const pages = usePages();
  const chromium = useChromium(pages);

  /** Three elements side by side: before, while, and after the user is asked. */
  const trio = ['choice', 'number', 'result']
    .map((name) => `<omi-confirmation path="/omi/${name}"></omi-confirmation>`)
    .join('');

  const routes = service({
    confirm: () => ({
      status: 201,
      body: { ...asked, matchCode: '42', message: 'Raise the limit to 5,000 EUR?' },
    }),
    enrol: () => started(),
  });
  const script: typeof routes = (call) => {
    const [, , name = ''] = call.path.split('/');
    const path = call.path.replace(`/${name}`, '');
    if (path === '/omi/devices' && name === 'choice') return devicesOf(phone, tablet);
    if (call.method === 'GET' && path.includes('/confirmations/'))
      return { body: name === 'result' ? confirmed : pending };
    return routes({ ...call, path });
  };

  const brand = /## Another brand in ten lines\n\n```css\n(.*?)```/s.exec(readme)?.[1] ?? '';

  test('a brand needs ten lines of CSS', () => {
    expect(brand.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
  });

  test.each([
    ['confirmation', trio, script],
    ['enrolment', '<omi-enrolment></omi-enrolment>', service()],
    ['brand', trio, script],
  ])('the %s is shown in light and dark', async (name, elements, answers) => {
    const style = `main { display: flex; flex-wrap: wrap; gap: 1rem } h1 { display: none } body { max-inline-size: none }
      omi-confirmation { flex: 1 1 20rem } omi-enrolment { flex: 0 1 30rem } ${name === 'brand' ? brand : ''}`;
    pages.show(elements, answers);
    const visitor = await chromium.visitor({ viewport: { width: 1_140, height: 420 } });
    await visitor.open('/');
    await visitor.page.evaluate((css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets = [sheet];
    }, style);
    if (name !== 'enrolment') {
      for (const place of ['number', 'result'])
        await visitor.page.locator(`[path="/omi/${place}"]`).getByRole('button').click();
      await visitor.reads('You confirmed on');
      await visitor.reads('42');
    } else await visitor.reads('Valid for');
    for (const colorScheme of ['light', 'dark'] as const) {
      await visitor.page.emulateMedia({ colorScheme });
      await renewPicture(`element-${name}-${colorScheme}.png`, visitor.page.locator('main'));
    }
    await visitor.page.emulateMedia({ colorScheme: 'light' });
    await visitor.expectAccessible(['color-contrast', 'target-size']);
  });
});

test('the README names every attribute, event, part and variable of the code', async () => {
  const sources = await Promise.all(
    [
      'confirmation-element',
      'confirmation/parts',
      'confirmation/styles',
      'enrolment/parts',
      'enrolment-element',
      'render/frame',
      'render/icon',
      'render/styles',
    ].map(async (file) => await readFile(`packages/elements/src/${file}.ts`, 'utf8')),
  );
  const code = sources.join('\n');
  const found = (pattern: RegExp): string[] =>
    [...code.matchAll(pattern)].flatMap(([, names = '']) => names.split(' '));
  const names = [
    ...found(/part: '([^']+)'/g),
    ...found(/tell\('([^']+)'/g),
    ...found(/var\((--omi-[a-z-]+)/g),
  ];
  expect(new Set(names).size).toBeGreaterThan(25);
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});
