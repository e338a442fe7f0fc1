import type { ResourceServer } from './access-tokens.ts';

const wellKnown = '/.well-known/oauth-protected-resource';

/** RFC 9728, section 3.1: the path of the resource comes behind the well-known one. Many clients ask without it. */
export const metadataPaths = ({ resource }: ResourceServer): string[] => {
  const { pathname } = new URL(resource);
  return pathname === '/' ? [wellKnown] : [`${wellKnown}${pathname}`, wellKnown];
};

export const metadataUrl = (server: ResourceServer): string =>
  new URL(metadataPaths(server)[0] ?? wellKnown, server.resource).href;

export const protectedResource = ({ issuer, resource }: ResourceServer) => ({
  resource,
  authorization_servers: [issuer],
  bearer_methods_supported: ['header'],
  resource_name: 'Human approval',
});
