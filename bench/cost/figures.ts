/** Numbers as the tables have them. */
const million = 1_000_000;

/** USD for a million of something that costs so much. */
export const perMillion = (usd: number): string => (usd * million).toFixed(2);

export const whole = (value: number): string =>
  new Intl.NumberFormat('en-GB', { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);

export const percent = (share: number): string => {
  const text = `${whole(share * 100)} %`;
  return share >= 1 ? `**${text}**` : text;
};
