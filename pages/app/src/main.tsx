import { Page } from './page.tsx';
import { createPlatform } from './platform/index.ts';
import { deviceNameOf } from '../../../packages/website/src/user-agent.ts';
import { hashOf, isEnrolmentLink } from './routes.ts';
import { knowsWhatWaits, onlyRequest } from './state/only-request.ts';
import type { State } from './state/state.ts';

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

/** A page that is loaded again stays as it is. */
let isOpening = performance
  .getEntriesByType('navigation')
  .every((entry) => !('type' in entry) || entry.type !== 'reload');

/** Only at the start: a later request is announced in the list, so that nothing moves under a finger. */
function openOnlyRequest(state: State): void {
  if (!isOpening || !knowsWhatWaits(state)) return;
  isOpening = false;
  const route = onlyRequest(state);
  if (route) location.hash = hashOf(route);
}

const link = takeEnrolmentLink();
const root = document.getElementById('app');
if (root) {
  root.replaceChildren();
  const deviceName = deviceNameOf(navigator.userAgent);
  void new Page(root, { createPlatform, deviceName, onChange: openOnlyRequest }).open(link);
}
