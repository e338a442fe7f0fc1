/** Schemas that the sections of the configuration have in common. */
import * as v from 'valibot';

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
