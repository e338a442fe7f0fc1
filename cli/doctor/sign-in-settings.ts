import * as v from 'valibot';

const address = v.pipe(v.string(), v.url());

/** How members sign in at a page, as its `/config.json` says. */
export const signInSettings = v.object({
  issuer: address,
  clientId: v.pipe(v.string(), v.nonEmpty()),
  authorizationUrl: address,
  tokenUrl: address,
});
