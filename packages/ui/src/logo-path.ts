/** As `GET /omi/device/tenants/{tenantId}` answers. */
export type ShownBrand = { name: string; color?: string; logoUrl?: string };

/** Where this origin forwards to the logo. Nothing else of the service, and nothing of another origin, is loaded as a picture. */
export function logoPathOf({ logoUrl = '' }: ShownBrand): string | undefined {
  if (!URL.canParse(logoUrl)) return undefined;
  const { pathname } = new URL(logoUrl);
  return /^\/omi\/device\/tenants\/[\w-]+\/logo$/.test(pathname) ? pathname : undefined;
}
