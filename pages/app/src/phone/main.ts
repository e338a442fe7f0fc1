/**
 * The app as a phone in a page of the same origin, which shows it in a frame. The address names its storage and the device:
 * `?storage=…&name=…&baseUrl=…`.
 */
import { Page } from '../page.tsx';
import { hashOf } from '../routes.ts';
import type { State } from '../state/state.ts';
import { createPhonePlatform } from './platform.ts';
import { reportOf, type PhoneOrder } from './report.ts';

let told = '';

function tell(state: State): void {
  if (state.phase === 'starting') return;
  const report = reportOf(state);
  const text = JSON.stringify(report);
  if (text === told) return;
  told = text;
  window.parent.postMessage(report, location.origin);
}

function obey(page: Page, order: PhoneOrder): void {
  switch (order.type) {
    case 'pushed':
    case 'opened':
      page.send({ type: 'tab', message: order });
      break;
    case 'code':
      readCode(page, order.link);
  }
}

function readCode(page: Page, link: string | undefined): void {
  if (link !== undefined) {
    location.hash = hashOf({ screen: 'enrol' });
    page.send({ type: 'link', text: link });
  } else if (canLeave(page.state)) page.send({ type: 'enrol-left' });
}

/** While the service answers, its answer decides. What is done stays until the user has read it. */
const canLeave = ({ enrolling }: State): boolean =>
  enrolling !== undefined && ['checking', 'name', 'failed'].includes(enrolling.step.at);

const root = document.getElementById('app');
if (root) {
  const query = new URLSearchParams(location.search);
  const page = new Page(root, {
    createPlatform: () => createPhonePlatform(query.get('storage') ?? 'phone', query.get('baseUrl') ?? ''),
    deviceName: query.get('name') ?? '',
    onChange: tell,
  });
  addEventListener('message', ({ source, origin, data }: MessageEvent<PhoneOrder>) => {
    if (source === window.parent && origin === location.origin) obey(page, data);
  });
  void page.open(undefined);
}
