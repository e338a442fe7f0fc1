/** Both ends meet: the elements in Chromium, the routes of `@omi/website`, a running stack, and a device that signs. */
import { expect, test } from '@jest/globals';
import { createRoutes, memoryStore, Omi, type Routes, type Session } from '#website';
import { bodyOf } from '../../../client/http.ts';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { enrolDevice, newUser, openChallenge } from '../../contract/scenario.ts';
import { describeIn } from '../../support/browser/browser-of-run.ts';
import { useChromium } from '../../support/browser/use-chromium.ts';
import { useSharedStack } from '../../support/use-stack.ts';
import type { Call, Reply } from './support/page-server.ts';
import { answerBy, requestOf } from './support/real-routes.ts';
import { usePages } from './support/use-pages.ts';

const inChromium = await describeIn('chromium');

inChromium('the elements and the routes', () => {
  const stack = useSharedStack();
  const pages = usePages();
  const chromium = useChromium(pages);

  /** A website whose user is signed in. */
  function signIn(userId: string): {
    routes: Routes;
    session: Session;
    serve: (call: Call) => Promise<Reply>;
  } {
    const { baseUrl, tokenUrl, tenants } = stack.file;
    const [{ tenantId, clientId, clientSecret }] = tenants;
    const session = { id: `session of ${userId}`, userId };
    const routes = createRoutes(new Omi({ baseUrl, tokenUrl, clientId, clientSecret, tenantId }), {
      session: () => session,
      message: async (request) =>
        `Pay 20.00 EUR to ${new URLSearchParams(await request.text()).get('to') ?? 'nobody'}?`,
      store: memoryStore(),
    });
    return { routes, session, serve: answerBy(routes, pages.file.appUrl) };
  }

  const form = `<form method="post" action="/done"><label>To <input name="to" value="Zoë"></label>
    <omi-confirmation required></omi-confirmation><button>Pay</button></form>`;

  test("the elements take a payment from the click to the website's permission", async () => {
    const device = await enrolDevice(stack.website);
    const { routes, session, serve } = signIn(device.identity.userId);
    pages.show(form, serve);
    const visitor = await chromium.visitor();
    await visitor.open('/');
    await visitor.clicks('Pay');
    await visitor.reads('Pay 20.00 EUR to Zoë?');
    await device.confirm(await openChallenge(device));
    await visitor.page.waitForURL('**/done');
    const [body = ''] = pages.submits.map(String);
    const action = (): Request =>
      requestOf(pages.file.appUrl, {
        method: 'POST',
        path: '/done',
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    await expect(routes.consume(action(), session)).resolves.toMatchObject({
      message: 'Pay 20.00 EUR to Zoë?',
      confirmation: { status: 'confirmed', userId: device.identity.userId },
    });
    await expect(routes.consume(action(), session)).rejects.toThrow();
  });

  test('the elements show a denial, a withdrawal on a closed page, and the pause after them', async () => {
    const device = await enrolDevice(stack.website);
    const { serve } = signIn(device.identity.userId);
    pages.show(form, serve);
    const visitor = await chromium.visitor();
    await visitor.open('/');
    await visitor.clicks('Pay');
    await visitor.reads('Pay 20.00 EUR to Zoë?');
    await visitor.open('/done');
    await visitor.waitsFor(async () => bodyOf(await device.challenges()).challenges.length, 0);
    await visitor.open('/');
    await visitor.clicks('Pay');
    await visitor.reads('Pay 20.00 EUR to Zoë?');
    await device.deny(await openChallenge(device), 'not_me');
    await visitor.reads('The request was stopped.');
    // Whoever sits at the website may be the thief, so it offers nothing.
    await expect(visitor.button('Try again').count()).resolves.toBe(0);
    await visitor.open('/');
    await visitor.clicks('Pay');
    await visitor.reads('Too many requests');
    await visitor.reads(/You can try again in (20:00|19:\d\d)\./);
    expect(pages.submits).toEqual([]);
  });

  test('the elements set up a first device, which can confirm at once', async () => {
    const { serve } = signIn(newUser());
    pages.show(`${form}<omi-enrolment></omi-enrolment>`, serve);
    const visitor = await chromium.visitor({ viewport: { width: 600, height: 1_200 } });
    await visitor.open('/');
    await visitor.reads('No device yet');
    const qr = (await visitor.link('Set up this device').getAttribute('href')) ?? '';
    bodyOf(await new SimulatedDevice({ name: 'Zoë’s phone' }).enrol(qr));
    await visitor.reads('You can now confirm with it: Zoë’s phone');
    await visitor.reads('You will get a request on Zoë’s phone.');
    await visitor.clicks('Pay');
    await visitor.reads('Pay 20.00 EUR to Zoë?');
  });
});
