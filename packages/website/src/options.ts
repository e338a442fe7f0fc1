import { OmiError } from './omi-error.ts';

const loopback = /^(localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)$/;

export const invalidOptions = (detail: string): OmiError => new OmiError('invalid-options', { detail });

/** A variable of the environment that is not set is found here, not by a refused call. */
export function required(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw invalidOptions(`${name} is not set.`);
}

/** A URL that secrets may be sent to: without TLS only on the own machine. No slash at its end. */
export function safeUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname));
  if (isSafe && url.username === '') return text.replace(/\/+$/, '');
  throw invalidOptions(`${name} is not a URL with https.`);
}
