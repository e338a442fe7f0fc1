import { takeEnrolmentLink } from './effects/enrolment-link.ts';
import { Page } from './page.tsx';
import { createPlatform } from './platform/index.ts';
import { deviceNameOf } from './text/device-name.ts';

const link = takeEnrolmentLink();
const root = document.getElementById('app');
if (root) {
  root.replaceChildren();
  void new Page(root, { createPlatform, deviceName: deviceNameOf(navigator.userAgent) }).open(link);
}
