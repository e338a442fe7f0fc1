/** How the operator's stage presents a page. What is absent is as OMI has it. */
export type PageBrand = {
  readonly name?: string;
  /** Like #0a7d4f. */
  readonly color?: string;
  readonly imprintUrl?: string;
  readonly privacyUrl?: string;
};

/** The members of a brand in `/config.json` that are as they should be. */
export function pageBrandIn(brand: unknown): PageBrand {
  const { name, color, imprintUrl, privacyUrl } = Object(brand) as Record<string, unknown>;
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof color === 'string' && /^#[\da-f]{6}$/i.test(color) && { color }),
    ...(isHttps(imprintUrl) && { imprintUrl }),
    ...(isHttps(privacyUrl) && { privacyUrl }),
  };
}

const isHttps = (url: unknown): url is string => typeof url === 'string' && url.startsWith('https://');
