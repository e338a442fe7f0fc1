/** Colours that can be read, whatever colour a brand has (WCAG 2.2). Colours are like #0a7d4f. */

/** The channels in linear light, from 0 to 1. */
const linearOf = (color: string): [number, number, number] => [
  linear(color, 1),
  linear(color, 3),
  linear(color, 5),
];

function linear(color: string, position: number): number {
  const value = parseInt(color.slice(position, position + 2), 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function hexOf(channel: number): string {
  const value = channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, value)) * 255)
    .toString(16)
    .padStart(2, '0');
}

const luminanceOf = ([red, green, blue]: readonly [number, number, number]): number =>
  0.2126 * red + 0.7152 * green + 0.0722 * blue;

/** Black on white has the contrast 21, so one of the two has at least its root, 4.58, on any colour: more than AA asks for. */
export const textOn = (color: string): '#000000' | '#ffffff' =>
  (luminanceOf(linearOf(color)) + 0.05) ** 2 > 1.05 * 0.05 ? '#000000' : '#ffffff';

/** The colour, as much darker or lighter as it must be to have a luminance in this range. */
export function withLuminance(color: string, least: number, most: number): string {
  const channels = linearOf(color);
  const luminance = luminanceOf(channels);
  if (luminance >= least && luminance <= most) return color;
  const mixed =
    luminance > most
      ? channels.map((channel) => (channel * most) / luminance)
      : channels.map((channel) => channel + ((1 - channel) * (least - luminance)) / (1 - luminance));
  return `#${mixed.map(hexOf).join('')}`;
}

/** Between them a colour has the contrast 3 to white and to black, which lines and icons need (1.4.11). With some room for rounding. */
const darkest = 0.104;
const lightest = 0.294;

/** The colour, so that it is seen on white and on black. */
export const seenOn = (color: string): string => withLuminance(color, darkest, lightest);
