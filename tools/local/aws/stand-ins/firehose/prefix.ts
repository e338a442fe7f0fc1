import { randomInt } from 'node:crypto';
import { invalidArgument } from './errors.ts';

/** Prefixes of object keys; Firehose adds a suffix. */
export type Prefixes = { prefix: string; errorPrefix: string };

const expressions = /!\{([^:}]*):?([^}]*)\}/g;
const timestampStart = '!{timestamp:';
const errorTypeExpression = '!{firehose:error-output-type}';
const defaultTimeExpression = '!{timestamp:yyyy/MM/dd/HH/}';

/**
 * The rules of "Understand custom prefixes for Amazon S3 objects" in the Firehose Developer Guide: a prefix with an
 * expression needs an error prefix with the error type, and prefixes without a timestamp get one appended.
 */
export function checkedPrefixes(prefix = '', errorPrefix?: string): Prefixes {
  if (errorPrefix === undefined) {
    if (prefix.includes('!{'))
      throw invalidArgument('ErrorOutputPrefix is required when Prefix contains expressions.');
    return {
      prefix: prefix + defaultTimeExpression,
      errorPrefix: `${prefix}${errorTypeExpression}/${defaultTimeExpression}`,
    };
  }
  if (prefix.includes(errorTypeExpression))
    throw invalidArgument(`Prefix must not contain ${errorTypeExpression}.`);
  if (errorPrefix.includes('!{') && !errorPrefix.includes(errorTypeExpression)) {
    throw invalidArgument(`ErrorOutputPrefix must contain ${errorTypeExpression}.`);
  }
  const timed = { prefix: withTime(prefix), errorPrefix: withTime(errorPrefix) };
  for (const template of Object.values(timed)) evaluatePrefix(template, new Date(0), '');
  return timed;
}

function withTime(template: string): string {
  return template.includes(timestampStart) ? template : template + defaultTimeExpression;
}

/** Evaluates a template for an object whose oldest record arrived at this time. */
export function evaluatePrefix(template: string, arrival: Date, errorType: string): string {
  return template.replace(expressions, (expression, namespace: string, value: string) => {
    if (namespace === 'timestamp') return formatTime(value, arrival);
    if (expression === errorTypeExpression) return errorType;
    if (expression === '!{firehose:random-string}') return randomString();
    throw invalidArgument(`The expression ${expression} is not valid.`);
  });
}

/** The common letters of Java's DateTimeFormatter; text in single quotes stays as it is. */
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
    // `YYYY` is the week's year, which is wrong around New Year, so it is rejected.
    if (text === undefined) throw invalidArgument(`The time pattern ${token} is not supported here.`);
    return text;
  });
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const randomLength = 11;

function randomString(): string {
  return Array.from({ length: randomLength }, () => letters.charAt(randomInt(letters.length))).join('');
}
