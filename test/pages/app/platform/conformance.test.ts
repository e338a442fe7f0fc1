/** The web app passes the conformance suite for devices, in Chromium. */
import { expect, test } from '@jest/globals';
import { Website } from '../../../../packages/device/conformance/running/website.ts';
import { runSuite } from '../../../../packages/device/conformance/suite.ts';
import { newUser, startEnrolment } from '../../../contract/scenario.ts';
import {} from '../../../packages/device/conformance/run-conformance.ts';
import { describeIn } from '../../../support/browser/browser-of-run.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { WebApp } from './web-app.ts';
import { longestProgramMs } from '../../../support/waiting.ts';

const stack = useSharedStack();
const inChromium = await describeIn('chromium');

inChromium('the web app', () => {
  test(
    'passes every check but those of push tokens, as a browser has subscriptions',
    async () => {
      const { baseUrl, tokenUrl, tenants } = stack.file;
      const { qr: link } = await startEnrolment(stack.website, newUser());
      const website = new Website(baseUrl, { tokenUrl, ...tenants[0] });
      const { findings } = await runSuite(new WebApp(baseUrl), { link, website, patienceMs: 1_000 });
      const others = findings.filter(({ outcome }) => outcome !== 'passed');
      expect(others.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
      expect(others.map(({ id }) => id)).toEqual(['push-token', 'push-token-stale', 'running-push-token']);
    },
    longestProgramMs,
  );
});
