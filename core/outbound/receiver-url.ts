import { isIP } from 'node:net';
import { isPublicName } from '../kernel/public-name.ts';
import { isAbsoluteUrl } from '../kernel/web-url.ts';
import { isPublicAddress } from './public-address.ts';

export const longestReceiverUrl = 2048;

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  /^https?:$/.test(protocol) && hostname === '127.0.0.1';

const isNamedOrPublic = ({ hostname }: URL): boolean => {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host);
};

/**
 * What is wrong with the URL of a receiver, as a sentence; undefined if nothing is. The addresses of its name are checked
 * with each call.
 *
 * @param allowsLoopback only on the local stack
 */
export function faultOfReceiverUrl(text: string, allowsLoopback: boolean): string | undefined {
  if (!isAbsoluteUrl(text) || text.length > longestReceiverUrl)
    return `Expected a URL of at most ${longestReceiverUrl} characters.`;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'The URL must not contain a user name or password.';
  if (url.hash !== '') return 'The URL must not have a fragment.';
  if (allowsLoopback && isLoopback(url)) return undefined;
  const local = allowsLoopback ? ' or http://127.0.0.1' : '';
  if (url.protocol !== 'https:') return `The URL must begin with https://${local}.`;
  if (url.port !== '') return 'The port must be 443.';
  return isNamedOrPublic(url) ? undefined : `The host must be on the public internet${local}.`;
}
