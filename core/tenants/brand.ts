import * as v from 'valibot';
import { httpsUrl } from '../kernel/web-url.ts';
import { visibleText } from '../kernel/text.ts';
import { detailLabels } from './detail-labels.ts';

export const brandName = visibleText(64);
export const brandColor = v.pipe(
  v.string(),
  v.regex(/^#[0-9a-f]{6}$/i, 'expected a colour like #0a7d4f'),
  v.toLowerCase(),
);

/** By the formats of a logo, the types of its answers. */
export const logoTypes = { svg: 'image/svg+xml; charset=utf-8', png: 'image/png' } as const;
const logoFormat = v.picklist(['svg', 'png']);
export type LogoFormat = v.InferOutput<typeof logoFormat>;

/** How apps present a tenant to its users, as the tenant's profile has it. The logo's bytes are in an item of their own. */
export const brand = v.object({
  name: v.optional(brandName),
  color: v.optional(brandColor),
  supportUrl: v.optional(httpsUrl()),
  logo: v.optional(logoFormat),
  detailLabels: v.optional(detailLabels),
});
export type Brand = v.InferOutput<typeof brand>;

export type Logo = { format: LogoFormat; bytes: Uint8Array };

/** A tenant as apps show it. */
export type BrandedTenant = { tenantId: string; name: string; brand?: Brand | undefined };

export const brandPath = (tenantId: string): string => `/omi/device/tenants/${tenantId}`;

/** The tenant's registered name stands in for one that the brand lacks. */
export const brandView = ({ tenantId, name, brand: shown = {} }: BrandedTenant, baseUrl: string) => ({
  name: shown.name ?? name,
  ...(shown.color !== undefined && { color: shown.color }),
  ...(shown.logo && { logoUrl: `${baseUrl}${brandPath(tenantId)}/logo` }),
  ...(shown.supportUrl !== undefined && { supportUrl: shown.supportUrl }),
  ...(shown.detailLabels && { detailLabels: shown.detailLabels }),
});
