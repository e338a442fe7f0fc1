import { Duration } from 'aws-cdk-lib';
import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  type ResponseHeadersPolicyProps,
  ResponseHeadersPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { nameOf } from './cloudfront-names.ts';

type SecurityHeaders = NonNullable<ResponseHeadersPolicyProps['securityHeadersBehavior']>;
type Setting = (value: string) => SecurityHeaders;

const override = true;

const frameOptions: Record<string, HeadersFrameOption> = {
  DENY: HeadersFrameOption.DENY,
  SAMEORIGIN: HeadersFrameOption.SAMEORIGIN,
};

/** CloudFront has a setting of its own for each of these headers and rejects them as custom headers. */
const settings: Readonly<Record<string, Setting>> = {
  'Content-Security-Policy': (contentSecurityPolicy) => ({
    contentSecurityPolicy: { contentSecurityPolicy, override },
  }),
  'Referrer-Policy': (value) => ({
    referrerPolicy: { referrerPolicy: known(HeadersReferrerPolicy, value), override },
  }),
  'Strict-Transport-Security': (value) => ({ strictTransportSecurity: hsts(value) }),
  'X-Content-Type-Options': () => ({ contentTypeOptions: { override } }),
  'X-Frame-Options': (value) => ({ frameOptions: { frameOption: known(frameOptions, value), override } }),
};

function known<Value extends string>(values: Record<string, Value>, value: string): Value {
  const found = values[value] ?? Object.values(values).find((one) => one === value);
  if (found === undefined) throw new Error(`CloudFront does not know the header value ${value}.`);
  return found;
}

function hsts(value: string): NonNullable<SecurityHeaders['strictTransportSecurity']> {
  const [, seconds] = /max-age=(\d+)/.exec(value) ?? [];
  if (seconds === undefined) throw new Error('Strict-Transport-Security requires max-age.');
  return {
    accessControlMaxAge: Duration.seconds(Number(seconds)),
    includeSubdomains: /includeSubDomains/i.test(value),
    preload: /preload/i.test(value),
    override,
  };
}

/** The headers of the origin of pages, which the local server sends, too. */
export function securityHeadersPolicy(
  scope: Construct,
  what: string,
  sent: Readonly<Record<string, string>>,
): ResponseHeadersPolicy {
  const headers = Object.entries(sent);
  const own = headers.filter(([header]) => settings[header] === undefined);
  return new ResponseHeadersPolicy(scope, 'SecurityHeaders', {
    responseHeadersPolicyName: nameOf(scope, 'security-headers'),
    comment: `OMI: security headers of the ${what}`,
    securityHeadersBehavior: Object.assign(
      {},
      ...headers.map(([header, value]) => settings[header]?.(value)),
    ) as SecurityHeaders,
    customHeadersBehavior: {
      customHeaders: own.map(([header, value]) => ({ header, value, override })),
    },
  });
}
