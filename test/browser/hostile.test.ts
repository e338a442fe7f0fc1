/** Texts, links and answers by somebody who means harm. The visitor's page fails the test if its policy was broken. */
import { expect, test } from '@jest/globals';
import { expectFaults } from '../contract/expectations.ts';
import { expectStatus, notification } from '../contract/scenario.ts';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { useChromium } from '../support/browser/use-chromium.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { ask, askAndReview, askUser, enrol, openShop } from './flows.ts';

const stack = useSharedStack();

const describe = await describeIn('chromium');

const challengesPattern = '**/omi/device/challenges';

const script = '<img src=x onerror="document.title=`broken`"><script>document.title=`broken`</script>';

const elementsOf = async (visitor: Visitor, selector: string): Promise<number> =>
  await visitor.page.locator(selector).count();

/** What a person reads: the characters that have a width, from left to right. */
const drawnText = async (visitor: Visitor, text: string): Promise<string> =>
  await visitor.page.evaluate<string>(`(() => {
    const text = document.createTextNode(${JSON.stringify(text)});
    const line = document.body.appendChild(document.createElement('p'));
    line.append(text);
    const placeOf = (at) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect();
    };
    const places = Array.from(text.data, (character, at) => ({ character, place: placeOf(at) }));
    line.remove();
    const drawn = places.filter(({ place }) => place.width > 0);
    return drawn.sort((a, b) => a.place.left - b.place.left).map(({ character }) => character).join('');
  })()`);

/** The app is as usual: no element came out of a text, and no script ran. */
async function isIntact(visitor: Visitor): Promise<void> {
  expect(await elementsOf(visitor, '#app img, #app script, #app iframe')).toBe(0);
  expect(await visitor.page.title()).not.toContain('broken');
}

describe('a hostile text', () => {
  const chromium = useChromium(stack);

  test('is shown unchanged in the message, the name of the tenant and the origin', async () => {
    const visitor = await chromium.visitor();
    const name = '<img src=x onerror="document.title=`broken`">';
    const enrolled = await enrol(visitor, await openShop(stack, name));
    await ask(visitor, enrolled, {
      message: script,
      requestedFrom: { place: name, browser: script.slice(-47) },
    });
    await visitor.clicks('Review');
    await visitor.sees('Confirm this request?');
    await visitor.reads(script);
    await visitor.reads(`${name} through Website`);
    await visitor.reads(`${script.slice(-47)} · ${name} · now`);
    await isIntact(visitor);
    await visitor.clicks('Deny');
    await visitor.sees('Denied');
    await visitor.open('/#/history');
    await visitor.reads(script);
    await isIntact(visitor);
  });

  test('is refused by the service if a browser would reorder its characters', async () => {
    const visitor = await chromium.visitor();
    const enrolled = await enrol(visitor, stack.website);
    const attack = 'Pay \u200f1\u200f0\u200f0\u200f,\u200f9 EUR?';
    expect(await drawnText(visitor, attack)).toBe('Pay 9,001 EUR?');
    expect(await drawnText(visitor, 'Pay 100,9 EUR?')).toBe('Pay 100,9 EUR?');
    const answer = await stack.website.sendToUser(enrolled.userId, notification({ message: attack }));
    expectFaults(answer, '/message');
  });

  test('causes no harm in the address', async () => {
    const visitor = await chromium.visitor();
    const hashes = [`challenge/${encodeURIComponent(script)}`, 'remove/__proto__', 'challenge/%E0%A4%A', '/'];
    for (const hash of hashes) {
      await visitor.page.goto('about:blank');
      await visitor.open(`/#/${hash}`);
      await visitor.page.getByRole('heading', { level: 1 }).waitFor();
      await isIntact(visitor);
    }
  });
});

describe('a hostile enrolment link', () => {
  const chromium = useChromium(stack);

  test.each([
    [
      'belongs to another service',
      'https://omi.example/enrol#v=1&api=https%3A%2F%2Fevil.example&code=x',
      'belongs to another service',
    ],
    ['contains a script', 'javascript:document.title=`broken`//enrol#v=1', 'not a complete enrolment link'],
    [
      'is of a later version',
      'https://omi.example/enrol#v=2&api=https%3A%2F%2Fa.example&code=x',
      'newer version',
    ],
  ])('is refused without a call if it %s', async (_, link, refusal) => {
    const visitor = await chromium.visitor();
    const calls: string[] = [];
    visitor.page.on('request', (request) => calls.push(new URL(request.url()).origin));
    await visitor.open('/#/enrol');
    await visitor.page.getByLabel('Enrolment link').fill(link);
    await visitor.clicks('Use this link');
    await visitor.reads(new RegExp(refusal));
    await isIntact(visitor);
    expect([...new Set(calls)]).toEqual([visitor.appUrl]);
  });
});

describe("a hostile answer instead of the service's", () => {
  const chromium = useChromium(stack);

  test('is not confirmed if its message differs from the signed one', async () => {
    const visitor = await chromium.visitor();
    const enrolled = await enrol(visitor, stack.website);
    await visitor.page.route(challengesPattern, async (route) => {
      const answer = await route.fetch();
      const text = (await answer.text()).replace('Pay 16.00', 'Pay 10.00');
      await route.fulfill({ response: answer, body: text });
    });
    const sent: string[] = [];
    visitor.page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    const { nonce } = await askUser(enrolled);
    await visitor.clicks('Review');
    await visitor.reads('Pay 10.00 € to Café Zoë?');
    await visitor.clicks('Confirm');
    await visitor.sees('Not safe to confirm');
    expect(sent).toEqual([]);
    await expectStatus(stack.website, nonce, 'pending');
  });

  test('is not answered if its context differs from the signed one', async () => {
    const visitor = await chromium.visitor();
    const enrolled = await enrol(visitor, stack.website);
    await visitor.page.route(challengesPattern, async (route) => {
      const answer = await route.fetch();
      const { challenges } = (await answer.json()) as { challenges: { context: string }[] };
      const changed = challenges.map((challenge) => ({
        ...challenge,
        // Drawn if the app took it from there.
        requester: { tenant: 'Sparkasse' },
        context: challenge.context.replace('Opera on Mac', 'Firefox on Windows'),
      }));
      await route.fulfill({ response: answer, json: { challenges: changed } });
    });
    const sent: string[] = [];
    visitor.page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    const requestedFrom = { browser: 'Opera on Mac' };
    const { nonce } = await askAndReview(visitor, enrolled, { requestedFrom });
    await visitor.reads('Firefox on Windows · now');
    expect(await visitor.page.getByText('Sparkasse').count()).toBe(0);
    await visitor.clicks('Deny');
    await visitor.sees('Not safe to confirm');
    expect(sent).toEqual([]);
    await expectStatus(stack.website, nonce, 'pending');
  });

  test('leaves the app intact, whatever it has in place of challenges, and the app recovers', async () => {
    const visitor = await chromium.visitor();
    const enrolled = await enrol(visitor, stack.website);
    for (const body of [
      '<html>',
      'null',
      '{"challenges":{"length":1}}',
      '{"challenges":[{"challengeId":{},"message":[],"expiresInMs":"x"}]}',
      '{"challenges":[{"challengeId":"__proto__","message":"m"}]}',
    ]) {
      await visitor.page.route(challengesPattern, async (route) => {
        await route.fulfill({ status: 200, contentType: 'application/json', body });
      });
      const isAnswered = visitor.page.waitForResponse(challengesPattern);
      await visitor.page.reload();
      await isAnswered;
      // What cannot be read at all says nothing about what waits.
      await visitor.sees(/^(Nothing to confirm|The requests could not be loaded)$/);
      await visitor.page.unroute(challengesPattern);
    }
    await visitor.page.reload();
    await ask(visitor, enrolled);
  });
});

describe('two windows', () => {
  const chromium = useChromium(stack);

  test('give one answer when they answer at once, and both show which', async () => {
    const visitor = await chromium.visitor();
    const { nonce } = await askAndReview(visitor, await enrol(visitor, stack.website));
    const other = await visitor.context.newPage();
    await other.goto(visitor.page.url());
    // Elements, as a locator would wait for a button that the other window's answer has just taken away.
    const buttons = await Promise.all(
      [visitor.page, other].map(async (page) => {
        const button = page.getByRole('button', { name: 'Confirm' });
        await button.click({ trial: true });
        return await button.elementHandle();
      }),
    );
    await Promise.all(buttons.map(async (button) => await button.dispatchEvent('click')));
    for (const page of [visitor.page, other])
      await page.getByRole('heading', { level: 1, name: 'Confirmed' }).waitFor();
    await expectStatus(stack.website, nonce, 'confirmed');
    await visitor.open('/#/history');
    await visitor.sees('History');
    await visitor.reads('Confirmed');
    // The browser says so of a click on what the first answer has just taken away.
    const late = visitor.faults.findIndex((fault) => fault.includes('the form is not connected'));
    if (late !== -1) visitor.faults.splice(late, 1);
  });
});
