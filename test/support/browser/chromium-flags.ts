/**
 * What Playwright switches off for every Chromium. It is repeated here because Chromium follows only the last list that it
 * is given (the source is `chromiumSwitches.ts` of Playwright 1.65).
 */
const offForPlaywright = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
];

/** Pages of the browser's own window, which nobody sees, and a process kept ready for a next site: half of its work. */
const offForSpeed = ['SpareRendererForSitePerProcess', 'WebUIOmniboxAimPopup', 'WebUIOmniboxPopup'];

/** Beside those of Playwright, which leave out extensions, updates and calls in the background. */
export const chromiumFlags: readonly string[] = [
  // Its sandbox needs user namespaces, which root has not in a container. It loads the pages of the tests only.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  `--disable-features=${[...offForPlaywright, ...offForSpeed].join(',')}`,
];
