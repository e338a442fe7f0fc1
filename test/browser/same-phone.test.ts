/** The website and the app are on the same phone: both ends in one browser, against a running stack. */
import { usePages } from '../packages/elements/support/use-pages.ts';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { useFirefox } from '../support/browser/firefox.ts';
import { useChromium } from '../support/browser/use-chromium.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { chromiumTab, firefoxTab } from './same-phone/tab.ts';
import { testWays } from './same-phone/ways.ts';

const stack = useSharedStack();

/** A touch screen is the only pointer, which is coarse and cannot hover. */
const touchOnly = {
  'dom.w3c_touch_events.enabled': 1,
  'ui.primaryPointerCapabilities': 1,
  'ui.allPointerCapabilities': 1,
};

const inChromium = await describeIn('chromium');
const inFirefox = await describeIn('firefox');

inChromium('a phone with Chromium', () => {
  const pages = usePages();
  const chromium = useChromium(stack);
  const phone = async () => chromiumTab((await chromium.visitor({ hasTouch: true, isMobile: true })).page);
  testWays({ stack, pages, phone });
});

inFirefox('a phone with Firefox', () => {
  const pages = usePages();
  const firefox = useFirefox(() => touchOnly);
  const phone = async () => {
    const page = await firefox.openApart('about:blank');
    await page.setViewport({ width: 390, height: 760, hasTouch: true });
    return firefoxTab(page);
  };
  testWays({ stack, pages, phone });
});
