export type Names = readonly (readonly [RegExp, string])[];

/** The first match wins: most browsers also name those that they are compatible with. */
export const browsers: Names = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

export const systems: Names = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
];

const nameIn = (names: Names, text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** Names that people know, as far as a `User-Agent` contains them. */
export const readUserAgent = (
  userAgent: string,
): { browser: string | undefined; system: string | undefined } => ({
  browser: nameIn(browsers, userAgent),
  system: nameIn(systems, userAgent),
});

/** How the web app names a device until its user does: so that it is recognized in a list, such as "iPhone, Safari". */
export function deviceNameOf(userAgent: string): string {
  const { system, browser } = readUserAgent(userAgent);
  return [system, browser].filter((part) => part !== undefined).join(', ') || 'Browser';
}
