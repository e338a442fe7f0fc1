/** React 19 and Vue 3 use the elements as they are: properties, events, forms. */
import { describe, expect, test } from '@jest/globals';
import { describeIn } from '../../../support/browser/browser-of-run.ts';
import { useChromium } from '../../../support/browser/use-chromium.ts';
import { asked, confirmed, devicesOf, service } from '../support/scripts.ts';
import { usePages } from '../support/use-pages.ts';

const inChromium = await describeIn('chromium');

describe.each([
  ['React', 'test/packages/elements/frameworks/react-page.tsx', "'none'"],
  // Vue makes a policy of its own.
  ['Vue', 'test/packages/elements/frameworks/vue-page.ts', 'vue'],
])('a page made with %s', (_, script, trustedTypes) => {
  inChromium('and the elements', () => {
    const pages = usePages(script, trustedTypes);
    const chromium = useChromium(pages);

    async function visit(answers: Parameters<typeof service>[0] = {}) {
      let run = 0;
      const confirm = () => ({ status: 201, body: { ...asked, id: `confirmation-${++run}` } });
      pages.show(
        '<div id="place"></div>',
        service({ confirm, look: () => ({ body: confirmed }), ...answers }),
      );
      const visitor = await chromium.visitor();
      await visitor.open('/');
      return visitor;
    }

    test('sets properties and receives events', async () => {
      const visitor = await visit();
      await visitor.clicks('More');
      await visitor.clicks('Ask for confirmation');
      await visitor.reads('paid 25 with confirmation-1');
      expect(pages.posts()).toEqual([{ path: '/omi/confirmations?device=phone', body: '{"amount":25}' }]);
    });

    test('receives the submit event after the confirmation', async () => {
      const visitor = await visit();
      await visitor.clicks('Send');
      await visitor.reads('sent "confirmation-1"');
      expect(pages.posts().length).toBe(1);
      expect(pages.submits).toEqual([]);
    });

    test('hears of a user without a device, and offers a way', async () => {
      const visitor = await visit({ devices: () => devicesOf() });
      await visitor.reads('heard of it');
      expect(await visitor.link('Set up a device').isVisible()).toBe(true);
    });
  });
});
