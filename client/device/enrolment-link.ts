import { ClientError } from '../http.ts';

export type EnrolmentLink = { api: string; code: string };

/** Parses the text of a QR code: `https://<app link>/enrol#v=1&api=<base url>&code=<one-time code>`. */
export function readEnrolmentLink(qr: string): EnrolmentLink {
  const url = URL.parse(qr);
  const fragment = new URLSearchParams(url?.hash.slice(1));
  const [api, code] = [fragment.get('api'), fragment.get('code')];
  if (!isSecure(url) || !url?.pathname.endsWith('/enrol') || !api || !code)
    throw new ClientError('The QR code is no enrolment code');
  if (fragment.get('v') !== '1') throw new ClientError('The QR code needs a newer app');
  return { api, code };
}

/** Plain HTTP is for the local stack alone. */
const isSecure = (url: URL | null): boolean =>
  url?.protocol === 'https:' ||
  (url?.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname));
