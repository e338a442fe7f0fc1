import { replaceHidden } from '../../../../core/kernel/hidden-characters.ts';

const longestName = 64;

/** What the service accepts as a device's name: at most 64 code points, none of them hidden. */
export function tidyName(name: string): string {
  const tidy = Array.from(name.replace(/[\s\p{Cs}]+/gu, ' ').trim());
  const cut = tidy.slice(0, longestName).join('');
  return replaceHidden(cut, () => ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
