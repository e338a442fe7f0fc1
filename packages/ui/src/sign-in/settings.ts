/** How a page signs people in, from its `/config.json`. */
export type SignInSettings = { issuer: string; clientId: string; authorizationUrl: string; tokenUrl: string };

/** True if the page was opened by the issuer's redirect. */
export const isComingBack = (): boolean => /[?&](code|error)=/.test(location.search);
