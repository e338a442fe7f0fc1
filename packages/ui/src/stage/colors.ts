import { textOn, withLuminance } from '../../../website/src/brand-colors.ts';

/** The accent of a page in one colour scheme, by the names of its tokens. */
export type Accent = { accent: string; strong: string; on: string; wash: string };

/** Dark enough to be read on light grounds, and light enough on its dark ones. The stronger one is for what is pointed at. */
const range = {
  light: { least: 0, most: 0.12, ofStrong: 0.07 },
  dark: { least: 0.42, most: 1, ofStrong: 0.6 },
};

/** How much of the accent is in the ground of what is chosen, in percent. */
const share = { light: 10, dark: 15 };

/**
 * The accent by the colour of a brand. Its contrast to a page's grounds, and that of text on it, is that of WCAG 2.2 AA, whatever the
 * colour.
 */
export function accentIn(scheme: 'light' | 'dark', color: string): Accent {
  const { least, most, ofStrong } = range[scheme];
  const accent = withLuminance(color, least, most);
  const strong = scheme === 'light' ? withLuminance(accent, 0, ofStrong) : withLuminance(accent, ofStrong, 1);
  return {
    accent,
    strong,
    on: textOn(accent),
    wash: `color-mix(in srgb, ${accent} ${share[scheme]}%, var(--surface))`,
  };
}

const rule = ({ accent, strong, on, wash }: Accent): string =>
  `:root { --accent: ${accent}; --accent-strong: ${strong}; --on-accent: ${on}; --accent-wash: ${wash} }`;

/** The style sheet that gives a page the colour of its stage. */
export const stageSheet = (color: string): string =>
  `${rule(accentIn('light', color))} @media (prefers-color-scheme: dark) { ${rule(accentIn('dark', color))} }`;
