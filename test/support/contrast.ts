/** WCAG 2.2, contrast ratio, written apart from the code that it judges. */
export function contrastOf(one: string, other: string): number {
  const luminances = [one, other].map((color) => {
    const [red = 0, green = 0, blue = 0] = [...Buffer.from(color.slice(1), 'hex')].map((channel) =>
      channel / 255 <= 0.04045 ? channel / 255 / 12.92 : Math.pow((channel / 255 + 0.055) / 1.055, 2.4),
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}
