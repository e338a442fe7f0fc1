import { css } from './styles.ts';

const sheets = new Map<string, CSSStyleSheet>();

/** One sheet for all elements of a kind. A strict content security policy allows it, as it is made by script. */
export function styleSheet(own: string): CSSStyleSheet {
  const sheet = sheets.get(own) ?? new CSSStyleSheet();
  if (!sheets.has(own)) sheet.replaceSync(css + own);
  sheets.set(own, sheet);
  return sheet;
}
