/** Schemas that the sections of the configuration have in common. */
import * as v from 'valibot';
import { mailAddress } from '../core/export/notices/contact.ts';
import { isPublicName } from '../core/kernel/public-name.ts';
import { isAbsoluteUrl } from '../core/kernel/web-url.ts';

export const text = v.pipe(v.string(), v.nonEmpty('expected at least 1 character'));
export const httpsUrl = v.pipe(
  v.string(),
  v.regex(/^https:\/\/[^/?#\s]+(\/[^?#\s]*)?(?<!\/)$/, 'expected an https URL without a slash at its end'),
);
export const origin = v.pipe(
  v.string(),
  v.regex(/^https?:\/\/[^/?#*\s]+$/, 'expected an origin like https://www.example.com'),
);
export const count = v.pipe(v.number(), v.integer(), v.minValue(1));

/** CloudFront accepts only certificates of us-east-1. */
export const globalCertificateArn = v.pipe(
  v.string(),
  v.regex(/^arn:[^:]+:acm:us-east-1:/, 'expected a certificate of us-east-1'),
);

/** A host name in lower case, as browsers write it. */
export const hostName = v.pipe(
  v.string(),
  v.regex(
    /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/,
    'expected a host name like app.example.com',
  ),
);

/** For documents (RFC 2606), and never delegated because private networks use them (ICANN's resolution of 2018 on name collisions). */
const unusedZone = /\.(?:example|corp|home|mail)$/;

const isPublicHost = (host: string): boolean =>
  v.is(hostName, host) && isPublicName(host) && !unusedZone.test(host);

function isPublicMail(address: string): boolean {
  const [name = '', host = ''] = address.split('@');
  return v.is(mailAddress, address) && !/^\.|\.\.|\.$/.test(name) && isPublicHost(host.toLowerCase());
}

function isPublicPage(text: string): boolean {
  if (!isAbsoluteUrl(text)) return false;
  const { protocol, hostname, username, port } = new URL(text);
  return protocol === 'https:' && username === '' && port === '' && isPublicHost(hostname);
}

/** How the operators of push services reach that of the stage. Apple's refuses every push if nobody could be reached so. */
export const pushContact = v.pipe(
  v.string(),
  v.check(
    (text) => (text.startsWith('mailto:') ? isPublicMail(text.slice('mailto:'.length)) : isPublicPage(text)),
    'expected a mail address or page of a name in the public DNS, like mailto:security@example.com or https://example.com',
  ),
);

/** An https URL of a host alone, as devices sign it. */
export const baseUrl = v.custom<string>(
  (url) =>
    typeof url === 'string' && url.startsWith('https://') && v.is(hostName, url.slice('https://'.length)),
  'expected a base URL like https://api.example.com',
);

/** A group of settings. The error for an unknown name lists the known ones. */
export const section = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.strictObject(entries, ({ expected, message }) =>
    expected === 'never' ? `unknown setting; expected one of ${Object.keys(entries).join(', ')}` : message,
  );
