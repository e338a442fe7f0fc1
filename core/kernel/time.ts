export const seconds = 1_000;
export const minutes = 60 * seconds;
export const hours = 60 * minutes;

/** RFC 3339 in UTC with milliseconds, the form of all times in the API. */
export const rfc3339 = (milliseconds: number): string => new Date(milliseconds).toISOString();
