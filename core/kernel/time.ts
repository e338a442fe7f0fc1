export const seconds = 1_000;
export const minutes = 60 * seconds;
export const hours = 60 * minutes;

/** RFC 3339 in UTC with milliseconds, the form of all times in the API. */
export const rfc3339 = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** False for the 31st of February, which `Date` reads as a day in March. */
export function isDateOfCalendar(text: string): boolean {
  const [date = ''] = text.split('T');
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}
