import { Page } from './page.tsx';
import { createPlatform } from './platform/index.ts';
import { deviceNameOf } from './text/device-name.ts';
import { hashOf, isEnrolmentLink } from './routes.ts';

/**
 * The enrolment link that opened the page. Its one-time code leaves the address bar and the browser's history at once.
 *
 * @returns undefined if the page was opened otherwise
 */
function takeEnrolmentLink(): string | undefined {
  if (!isEnrolmentLink(location)) return undefined;
  const { href, hash, origin } = location;
  history.replaceState(null, '', `/${hashOf({ screen: 'enrol' })}`);
  // A link without a code only opens the screen.
  if (hash === '') return undefined;
  return href.startsWith(`${origin}/enrol`) ? href : `${origin}/enrol${hash}`;
}

const link = takeEnrolmentLink();
const root = document.getElementById('app');
if (root) {
  root.replaceChildren();
  void new Page(root, { createPlatform, deviceName: deviceNameOf(navigator.userAgent) }).open(link);
}
