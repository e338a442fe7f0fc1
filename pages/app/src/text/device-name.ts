import { replaceHidden } from '../../../../core/kernel/hidden-characters.ts';
import { readUserAgent } from '../../../../packages/website/src/user-agent.ts';

/** A name by which the user recognizes this device in a list, such as "iPhone, Safari". */
export function deviceNameOf(userAgent: string): string {
  const { system, browser } = readUserAgent(userAgent);
  return [system, browser].filter((part) => part !== undefined).join(', ') || 'Browser';
}

const longestName = 64;

/** What the service accepts as a device's name: at most 64 code points, none of them hidden. */
export function tidyName(name: string): string {
  const tidy = Array.from(name.replace(/[\s\p{Cs}]+/gu, ' ').trim());
  const cut = tidy.slice(0, longestName).join('');
  return replaceHidden(cut, () => ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
