/** `<omi-enrolment>` in a page with a strict policy. */
import { expect, test } from '@jest/globals';
import { readQr } from './support/read-qr.ts';
import { describeIn } from '../../support/browser/browser-of-run.ts';
import { useChromium } from '../../support/browser/use-chromium.ts';
import type { Visitor } from '../../support/browser/visitor.ts';
import type { Reply, Script } from './support/page-server.ts';
import { problem, service, started } from './support/scripts.ts';
import { usePages } from './support/use-pages.ts';

const inChromium = await describeIn('chromium');

inChromium('the element', () => {
  const pages = usePages();
  const chromium = useChromium(pages);

  async function visit(script: Script, element = '<omi-enrolment></omi-enrolment>'): Promise<Visitor> {
    pages.show(element, script);
    const visitor = await chromium.visitor();
    await visitor.open('/');
    return visitor;
  }

  const height = async ({ page }: Visitor): Promise<number> =>
    await page.locator('omi-enrolment').evaluate(({ offsetHeight }: HTMLElement) => offsetHeight);

  test('the link is shown as a QR code that a camera can read, and as a link, then the new device is named', async () => {
    let status: object = { status: 'waiting' };
    const visitor = await visit(service({ enrolment: () => ({ body: status }) }));
    await visitor.reads(/Valid for (10:00|9:5\d)/);
    const link = (started() as { body: { link: string } }).body.link;
    expect(await visitor.link('Set up this device').getAttribute('href')).toBe(link);
    const before = await height(visitor);
    for (const colorScheme of ['light', 'dark'] as const) {
      await visitor.page.emulateMedia({ colorScheme });
      const picture = await visitor.page
        .getByRole('img', { name: 'QR code that sets up a device' })
        .screenshot();
      expect(await readQr(visitor.context, picture)).toBe(link);
    }
    await visitor.page.evaluate(() => {
      addEventListener('omi-enrolled', ({ detail }: Event & { detail?: unknown }) =>
        Object.assign(globalThis, { detail }),
      );
    });
    const device = { deviceId: 'phone', name: 'Anna’s phone' };
    status = { status: 'completed', device };
    await visitor.reads('You can now confirm with it: Anna’s phone');
    expect(await visitor.page.evaluate('detail')).toEqual({ device });
    expect(await height(visitor)).toBe(before);
    await visitor.expectAccessible();
  });

  test('the account is shown if the website names it', async () => {
    const account = 'Anna · …4711';
    const visitor = await visit(service({ enrol: () => started('enrolment-1', account) }));
    await visitor.reads('Anna · …4711');
    expect(await visitor.page.locator('[part=account]').innerText()).toBe('Account: Anna · …4711');
    await visitor.expectAccessible();
    const without = await visit(service());
    await without.reads('Valid for');
    expect(await without.page.getByText('Account:').isVisible()).toBe(false);
  });

  test('a link to localhost is said to be for this machine alone', async () => {
    const link =
      'http://localhost:8081/enrol#v=1&api=http%3A%2F%2F127.0.0.1%3A8080&code=3q2-7wAAAAAAAAAAAAAAAA';
    const body = { id: 'enrolment-1', link, expiresInMs: 600_000 };
    const visitor = await visit(service({ enrol: () => ({ status: 201, body }) }));
    await visitor.reads('Only this machine can open the code');
  });

  test('a new code replaces an expired one', async () => {
    let run = 0;
    let status = 'expired';
    const visitor = await visit(
      service({ enrol: () => started(`enrolment-${++run}`), enrolment: () => ({ body: { status } }) }),
    );
    await visitor.reads('The code has expired');
    expect(await visitor.page.getByRole('img').count()).toBe(0);
    status = 'waiting';
    await visitor.clicks('Show a new code');
    await visitor.reads('Valid for');
    await visitor.waitsFor(
      async () => await Promise.resolve(pages.calls.at(-1)?.path),
      '/omi/enrolments/enrolment-2',
    );
  });

  test('the enrolment sends the confirmation that a further device needs', async () => {
    const enrol = ({ body }: { body: string }): Reply =>
      body.includes('confirmation-1') ? started() : problem(403, 'confirmation-required');
    const visitor = await visit(service({ enrol }));
    await visitor.reads('Confirm first');
    await visitor.page.locator('omi-enrolment').evaluate((element) => {
      element.setAttribute('confirmation', 'confirmation-1');
    });
    await visitor.reads('Valid for');
    expect(pages.posts().map(({ body }) => body)).toEqual(['{}', '{"confirmation":"confirmation-1"}']);
  });

  test.each<[Reply, string]>([
    ['broken', 'No connection'],
    [problem(401, 'unauthorized'), 'You are signed out'],
    [problem(403, 'recovery-required'), 'Only the help desk can'],
    [problem(403, 'denied'), 'You cannot set up a device now. Not now.'],
    [problem(429, 'throttled', { 'retry-after': '9' }), 'Too many attempts'],
    [problem(500, 'unexpected'), 'Something went wrong'],
    // A link with another scheme could run code.
    [
      { status: 201, body: { id: 'x', link: 'javascript:alert(1)', expiresInMs: 9_000 } },
      'Something went wrong',
    ],
  ])('a refusal is shown (%#)', async (reply, text) => {
    const visitor = await visit(service({ enrol: () => reply }));
    await visitor.reads(text);
    expect(await visitor.page.locator('omi-enrolment a[href]').count()).toBe(0);
  });

  test('the enrolment keeps waiting without a connection', async () => {
    let reply: Reply = 'broken';
    const visitor = await visit(service({ enrolment: () => reply }));
    await visitor.reads('Connection lost');
    reply = { body: { status: 'completed' } };
    await visitor.reads('You can now confirm with it: The device');
  });

  test('nothing is requested before the element is visible', async () => {
    const visitor = await visit(service(), '<div id="place" hidden><omi-enrolment></omi-enrolment></div>');
    await visitor.page.waitForFunction(() => customElements.get('omi-enrolment'));
    await visitor.page.evaluate(
      async () => await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    expect(pages.calls).toEqual([]);
    await visitor.page.locator('#place').evaluate((place) => place.removeAttribute('hidden'));
    await visitor.reads('Valid for');
  });
});
