import { DeviceError } from './device-error.ts';

/** Where to enrol, and the code that names user and tenant there. */
export type EnrolmentLink = { baseUrl: string; code: string };

const longestLink = 4096;
const longestCode = 512;

/** Hosts of one's own machine, which are reached without TLS. */
export const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Reads the text of a QR code: `https://<app link>/enrol#v=1&api=<base URL>&code=<one-time code>`.
 *
 * @param options `baseUrl`: the only service whose links are accepted
 * @throws {DeviceError} `invalid-link`, `unsupported-link` or `foreign-link`
 */
export function scan(qr: string, { baseUrl }: { baseUrl?: string } = {}): EnrolmentLink {
  const link = parse(qr);
  if (baseUrl !== undefined && link.baseUrl !== withoutSlash(baseUrl)) throw new DeviceError('foreign-link');
  return link;
}

function parse(qr: string): EnrolmentLink {
  const url = qr.length <= longestLink ? parseUrl(qr.trim()) : undefined;
  if (!url || !isSafe(url) || !url.pathname.endsWith('/enrol')) throw new DeviceError('invalid-link');
  const fragment = new URLSearchParams(url.hash.slice(1));
  const version = only(fragment, 'v');
  if (version === undefined) throw new DeviceError('invalid-link');
  if (version !== '1') throw new DeviceError('unsupported-link');
  const [baseUrl, code] = [only(fragment, 'api'), only(fragment, 'code')];
  if (!baseUrl || !isBaseUrl(baseUrl) || !code || !isCode(code)) throw new DeviceError('invalid-link');
  return { baseUrl, code };
}

/** The value of a parameter that is there once: of two values, another reader may use the other one. */
function only(fragment: URLSearchParams, name: string): string | undefined {
  const values = fragment.getAll(name);
  return values.length === 1 ? values[0] : undefined;
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && localHosts.includes(hostname));

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/**
 * True for a base URL in its normal spelling. Others can look like a host that they do not lead to, such as
 * `https://bank.example\@evil.example`.
 */
function isBaseUrl(text: string): boolean {
  const url = parseUrl(text);
  if (!url || !isSafe(url) || url.username !== '' || url.password !== '') return false;
  return `${url.origin}${withoutSlash(url.pathname)}` === text;
}

const isCode = (code: string): boolean => code.length <= longestCode && /^[\x21-\x7e]+$/.test(code);
