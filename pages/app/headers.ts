import { headersFor } from '#ui/headers.ts';

/** The app makes its one script URL, that of the service worker, by this Trusted Types policy. Nothing else may make any. */
export const trustedTypesPolicy = 'omi-service-worker';

export const appHeaders = headersFor({ camera: true, passkeys: true, serviceWorker: trustedTypesPolicy });

/** The calls of devices, which the app's origin passes on to the API. The first is also the call that removes the device. */
export const forwardedToApi: readonly string[] = ['/omi/device', '/omi/device/*'];

/** The paths that answer with `index.html`. Everything after `#` is the app's own. */
export const pages: readonly string[] = ['/', '/enrol'];
