import type { Brand } from '#device';

/** Where this origin forwards to the logo. Nothing else of the service, and nothing of another origin, is loaded as a picture. */
export function logoPathOf({ logoUrl = '' }: Brand): string | undefined {
  if (!URL.canParse(logoUrl)) return undefined;
  const { pathname } = new URL(logoUrl);
  return /^\/omi\/device\/tenants\/[\w-]+\/logo$/.test(pathname) ? pathname : undefined;
}
