/** False for the 31st of February, which `Date` reads as a day in March. */
export function isDateOfCalendar(text: string): boolean {
  const [date = ''] = text.split('T');
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}
