/** The Content-Security-Policy names this policy. It makes the only script URL that the app ever needs. */
const policyName = 'omi-service-worker';
const script = '/service-worker.js';

/** Trusted Types, which are not in the DOM's types of all versions. */
type TrustedTypesApi = {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): unknown;
  };
};

/**
 * Registers the service worker.
 *
 * @returns the registration with an active worker; undefined if this browser or window has none
 */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined;
  try {
    await navigator.serviceWorker.register(scriptUrl(), { updateViaCache: 'none' });
    return await navigator.serviceWorker.ready;
  } catch {
    return undefined;
  }
}

function scriptUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypesApi };
  const policy = trustedTypes?.createPolicy(policyName, { createScriptURL: () => script });
  // The registration takes a TrustedScriptURL, which older types of the DOM do not know.
  return (policy?.createScriptURL(script) ?? script) as string;
}
