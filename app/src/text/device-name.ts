import { replaceHidden } from '../../../core/kernel/hidden-characters.ts';

type Names = readonly (readonly [RegExp, string])[];

/** The first match wins: most browsers also name those that they are compatible with. */
const browsers: Names = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const systems: Names = [
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

/** A name by which the user recognizes this device in a list, such as "iPhone, Safari". */
export function deviceNameOf(userAgent: string): string {
  const parts = [nameIn(systems, userAgent), nameIn(browsers, userAgent)];
  return parts.filter((part) => part !== undefined).join(', ') || 'Browser';
}

const LONGEST_NAME = 64;

/** What the service accepts as a device's name: at most 64 code points, none of them hidden. */
export function tidyName(name: string): string {
  const tidy = Array.from(name.replace(/[\s\p{Cs}]+/gu, ' ').trim());
  const cut = tidy.slice(0, LONGEST_NAME).join('');
  return replaceHidden(cut, () => ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
