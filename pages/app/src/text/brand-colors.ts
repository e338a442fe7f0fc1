/** One of the channels of a colour like #0a7d4f, in linear light (WCAG 2.2, relative luminance). */
function linear(color: string, position: number): number {
  const value = parseInt(color.slice(position, position + 2), 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

const luminanceOf = (color: string): number =>
  0.2126 * linear(color, 1) + 0.7152 * linear(color, 3) + 0.0722 * linear(color, 5);

/** Black on white has the contrast 21, so one of the two has at least its root, 4.58, on any colour: more than AA asks for. */
export const textOn = (color: string): '#000000' | '#ffffff' =>
  (luminanceOf(color) + 0.05) ** 2 > 1.05 * 0.05 ? '#000000' : '#ffffff';
