import { randomInt } from 'node:crypto';
import { invalidArgument } from './errors.ts';

/** What ends in the object's key, besides the suffix that Firehose always adds. */
export type Prefixes = { prefix: string; errorPrefix: string };

const EXPRESSION = /!\{([^:}]*):?([^}]*)\}/g;
const TIMESTAMP = '!{timestamp:';
const ERROR_TYPE = '!{firehose:error-output-type}';
const DEFAULT_TIME = '!{timestamp:yyyy/MM/dd/HH/}';

/**
 * The rules of "Understand custom prefixes for Amazon S3 objects" in the Firehose Developer Guide: an
 * expression in the prefix asks for an error prefix that tells its error type, and the time is appended to
 * prefixes without one.
 */
export function checkedPrefixes(prefix = '', errorPrefix?: string): Prefixes {
  if (errorPrefix === undefined) {
    if (prefix.includes('!{'))
      throw invalidArgument('ErrorOutputPrefix is required when Prefix contains expressions.');
    return { prefix: prefix + DEFAULT_TIME, errorPrefix: `${prefix}${ERROR_TYPE}/${DEFAULT_TIME}` };
  }
  if (prefix.includes(ERROR_TYPE)) throw invalidArgument(`Prefix must not contain ${ERROR_TYPE}.`);
  if (errorPrefix.includes('!{') && !errorPrefix.includes(ERROR_TYPE)) {
    throw invalidArgument(`ErrorOutputPrefix must contain ${ERROR_TYPE}.`);
  }
  const timed = { prefix: withTime(prefix), errorPrefix: withTime(errorPrefix) };
  for (const template of Object.values(timed)) evaluatePrefix(template, new Date(0), '');
  return timed;
}

function withTime(template: string): string {
  return template.includes(TIMESTAMP) ? template : template + DEFAULT_TIME;
}

/** Fills in the template for an object whose oldest record arrived at this time. */
export function evaluatePrefix(template: string, arrival: Date, errorType: string): string {
  return template.replace(EXPRESSION, (expression, namespace: string, value: string) => {
    if (namespace === 'timestamp') return formatTime(value, arrival);
    if (expression === ERROR_TYPE) return errorType;
    if (expression === '!{firehose:random-string}') return randomString();
    throw invalidArgument(`The expression ${expression} is not valid.`);
  });
}

/** The letters of Java's DateTimeFormatter that a prefix can sensibly have; text in single quotes stays. */
function formatTime(pattern: string, time: Date): string {
  const [year, month, day, hour, minute, second] = time.toISOString().split(/[-T:.]/);
  const fields: Record<string, string | undefined> = {
    yyyy: year,
    MM: month,
    dd: day,
    HH: hour,
    mm: minute,
    ss: second,
  };
  return pattern.replace(/'([^']*)'|[A-Za-z]+/g, (token, quoted?: string) => {
    const text = quoted ?? fields[token];
    // `YYYY` is the year of the week: right on most days, wrong around New Year. Better refused than believed.
    if (text === undefined) throw invalidArgument(`The time pattern ${token} is not supported here.`);
    return text;
  });
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const RANDOM_LENGTH = 11;

function randomString(): string {
  return Array.from({ length: RANDOM_LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
}
