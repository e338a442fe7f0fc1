/** A page that has the platform and no screens, for tests in a browser. */
import * as device from '#device';
import { createPlatform, type Platform } from '../../../../pages/app/src/platform/index.ts';

declare global {
  var platform: Platform;
  var protocol: typeof device;
}

globalThis.platform = createPlatform();
globalThis.protocol = device;
