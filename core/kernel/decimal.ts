/** More than any number needs that a double holds. */
const longest = 64;

/** Leading and trailing zeros and the place of the point make no difference. */
function normalOf(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`;
  if (digits === '') return undefined;
  const significant = digits.replace(/^0+/, '').replace(/0+$/, '');
  if (significant === '') return '0';
  const zeros = digits.length - digits.replace(/0+$/, '').length;
  return `${sign}${significant}e${Number(exponent) - fraction.length + zeros}`;
}

/** Whether a number of a JSON text is the same after a reader has kept it as a double and written it again. */
export const fitsDouble = (text: string): boolean =>
  text.length <= longest && normalOf(text) === normalOf(JSON.stringify(Number(text)));
