import { stageSheet } from './colors.ts';

/** Gives the page the colour of its stage. A sheet that is made by script needs no exception in the page's policy. */
export function dress(color: string | undefined): void {
  if (color === undefined) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(stageSheet(color));
  document.adoptedStyleSheets = [sheet];
}
