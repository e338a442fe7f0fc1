/** The element in a form, in a page with a strict policy: nothing is sent before the user has confirmed it. */
import { expect, test } from '@jest/globals';
import type { OmiConfirmationElement } from '../../../packages/elements/src/index.ts';
import { describeIn } from '../../support/browser/browser-of-run.ts';
import { useChromium } from '../../support/browser/use-chromium.ts';
import type { Visitor } from '../../support/browser/visitor.ts';
import type { Reply } from './support/page-server.ts';
import { asked, confirmed, ended, pending, phone, service } from './support/scripts.ts';
import { usePages } from './support/use-pages.ts';

const inChromium = await describeIn('chromium');

inChromium('a form', () => {
  const pages = usePages();
  const chromium = useChromium(pages);

  const formWith = (element: string): string =>
    `<form id="pay" method="post" action="/done"><label>To <input name="to" required value="Jo"></label>
    ${element}<button name="action" value="pay">Pay</button><button type="reset">Clear</button></form>`;

  /** A page whose user has not answered yet, until the test says how. */
  async function visit(element = '<omi-confirmation></omi-confirmation>') {
    let answer: object = pending;
    let run = 0;
    const confirm = (): Reply => ({ status: 201, body: { ...asked, id: `confirmation-${++run}` } });
    pages.show(formWith(element), service({ confirm, look: () => ({ body: answer }) }));
    const visitor = await chromium.visitor();
    await visitor.open('/');
    await visitor.reads(phone.name);
    return { visitor, page: visitor.page, answers: (next: object) => (answer = next) };
  }

  const read = async <Value>(
    visitor: Visitor,
    look: (element: OmiConfirmationElement) => Value,
  ): Promise<Value> => await visitor.page.locator('omi-confirmation').evaluate(look);

  const sent = (): string[] => pages.submits.map(String);

  test.each(['', 'required'])(
    'the form is sent once, with the confirmation of its content (%s)',
    async (attribute) => {
      const { visitor, page, answers } = await visit(`<omi-confirmation ${attribute}></omi-confirmation>`);
      await page.getByLabel('To').fill('Zoë');
      await visitor.button('Pay').dblclick();
      await visitor.reads('Pay 20.00 EUR to Jo?');
      expect(await visitor.button('Pay').isDisabled()).toBe(true);
      expect(sent()).toEqual([]);
      answers(confirmed);
      await page.waitForURL('**/done');
      expect(sent()).toEqual(['to=Zo%C3%AB&omi-confirmation=confirmation-1&action=pay']);
      expect(pages.posts()).toEqual([
        { path: '/omi/confirmations?device=phone', body: 'to=Zo%C3%AB&action=pay' },
      ]);
      expect(pages.calls.every(({ headers }) => headers['omi-page'] === '1')).toBe(true);
    },
  );

  test.each(['', 'required'])(
    "the form asks for no confirmation before the page's own validation has passed (%s)",
    async (attribute) => {
      const { visitor, page } = await visit(`<omi-confirmation ${attribute}></omi-confirmation>`);
      await page.getByLabel('To').fill('');
      await visitor.clicks('Pay');
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('to');
      await page.evaluate(() => {
        addEventListener('omi-start', (event) => event.preventDefault(), { once: true });
      });
      await page.getByLabel('To').fill('Jo');
      await visitor.clicks('Pay');
      expect(await read(visitor, ({ state }) => state)).toBe('ready');
      expect(pages.posts()).toEqual([]);
      await visitor.clicks('Pay');
      await visitor.reads('Pay 20.00 EUR to Jo?');
    },
  );

  test('listeners of the form get one submit event, the confirmed one', async () => {
    const { visitor, page, answers } = await visit();
    await page.evaluate(() => {
      const values: unknown[] = [];
      Object.assign(globalThis, { values });
      document.getElementById('pay')?.addEventListener('submit', (event) => {
        event.preventDefault();
        values.push(new FormData(event.target as HTMLFormElement).get('omi-confirmation'));
      });
    });
    const values = async (): Promise<unknown> => await page.evaluate('values');
    await page.getByLabel('To').press('Enter');
    await visitor.reads('Pay 20.00 EUR to Jo?');
    expect(await values()).toEqual([]);
    answers(confirmed);
    await visitor.waitsFor(values, ['confirmation-1']);
    // A second click does not ask again; a later one does, as a confirmation works once.
    answers(pending);
    await visitor.waitsFor(async () => {
      const state = await read(visitor, (element) => element.state);
      if (state === 'confirmed') await visitor.clicks('Pay');
      return state;
    }, 'pending');
    answers(confirmed);
    await visitor.waitsFor(values, ['confirmation-1', 'confirmation-2']);
  });

  test('the form is not sent if it is changed meanwhile', async () => {
    const { visitor, page, answers } = await visit();
    await visitor.clicks('Pay');
    await visitor.reads('Pay 20.00 EUR to Jo?');
    await page.getByLabel('To').fill('Somebody else');
    answers(confirmed);
    await visitor.reads('The form was changed');
    expect([sent(), await read(visitor, ({ value }) => value)]).toEqual([[], '']);
    await visitor.clicks('Pay');
    await page.waitForURL('**/done');
    expect(sent()).toEqual(['to=Somebody+else&omi-confirmation=confirmation-2&action=pay']);
  });

  test('the form is not sent after a denial, and can be tried again', async () => {
    const { visitor, page, answers } = await visit();
    await visitor.clicks('Pay');
    await visitor.reads('Pay 20.00 EUR to Jo?');
    answers(ended('denied', 'user_declined'));
    await visitor.reads('Nothing was done.');
    expect([sent(), await visitor.button('Try again').count()]).toEqual([[], 0]);
    answers(confirmed);
    await visitor.clicks('Pay');
    await page.waitForURL('**/done');
    expect(sent()).toEqual(['to=Jo&omi-confirmation=confirmation-2&action=pay']);
  });

  test('a missing required confirmation is reported like any field', async () => {
    const { visitor, answers } = await visit('<omi-confirmation required></omi-confirmation>');
    const validity = async (): Promise<unknown> =>
      await read(visitor, (element) => [
        element.validity.valueMissing,
        element.validationMessage,
        element.willValidate,
        element.form?.checkValidity(),
        element.matches(':invalid'),
      ]);
    expect(await validity()).toEqual([true, 'Please confirm this on your device first.', true, false, true]);
    await read(visitor, (element) => {
      element.form?.addEventListener('submit', (event) => event.preventDefault());
    });
    answers(confirmed);
    await read(visitor, (element) => element.form?.requestSubmit());
    await visitor.reads('You confirmed on Anna’s phone.');
    expect(await validity()).toEqual([false, '', true, true, false]);
    // Without it, the browser validates the form by itself again.
    expect(await read(visitor, ({ form }) => form?.noValidate)).toBe(true);
    expect(
      await read(visitor, (element) => {
        const { form } = element;
        element.required = false;
        return form?.noValidate;
      }),
    ).toBe(false);
  });

  test('a reset forgets and withdraws the request', async () => {
    const { visitor } = await visit();
    await visitor.clicks('Pay');
    await visitor.reads('Pay 20.00 EUR to Jo?');
    await visitor.clicks('Clear');
    await visitor.reads('You will get a request on');
    await visitor.waitsFor(
      async () => await Promise.resolve(pages.withdrawals()),
      ['/omi/confirmations/confirmation-1'],
    );
  });

  test('a disabled element asks for nothing, and the form is sent', async () => {
    const { visitor, page } = await visit('<omi-confirmation disabled></omi-confirmation>');
    await read(visitor, (element) => element.start());
    await visitor.clicks('Pay');
    await page.waitForURL('**/done');
    expect([sent(), pages.posts()]).toEqual([['to=Jo&action=pay'], []]);
  });

  test('the browser validates the form while the element is disabled', async () => {
    const { visitor, page } = await visit('<omi-confirmation required disabled></omi-confirmation>');
    await page.getByLabel('To').fill('');
    await visitor.clicks('Pay');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('to');
    expect(await read(visitor, ({ form }) => form?.noValidate)).toBe(false);
    expect(sent()).toEqual([]);
  });

  test('an object that a page wants confirmed is sent as JSON', async () => {
    const { visitor, page, answers } = await visit('<omi-confirmation name="proof"></omi-confirmation>');
    await read(visitor, (element) => (element.data = { to: 'Jo', amount: 20 }));
    answers(confirmed);
    await visitor.clicks('Pay');
    await page.waitForURL('**/done');
    expect(pages.posts()).toEqual([
      { path: '/omi/confirmations?device=phone', body: '{"to":"Jo","amount":20}' },
    ]);
    expect(sent()).toEqual(['to=Jo&proof=confirmation-1&action=pay']);
  });

  test('a restored page keeps the chosen device, but no confirmation', async () => {
    const { visitor } = await visit();
    const restored = await read(visitor, (element) => {
      element.formStateRestoreCallback('tablet');
      return element.value;
    });
    expect(restored).toBe('');
    await visitor.clicks('Pay');
    await visitor.reads('Pay 20.00 EUR to Jo?');
    expect(pages.posts()).toMatchObject([{ path: '/omi/confirmations?device=tablet' }]);
  });
});
