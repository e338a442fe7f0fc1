import { AwsServiceError } from '../../protocols/errors.ts';
import type { Form } from '../../protocols/query.ts';
import { invalid } from './errors.ts';
import type { SnsPlatform } from './state.ts';

/** Four weeks, SNS's limit. */
const longestTtlSeconds = 2_419_200;

/** The string attributes of a publish. SNS rejects characters above U+FFFF in them. */
export function messageAttributes(form: Form): Map<string, string> {
  const attributes = new Map<string, string>();
  for (let n = 1; ; n += 1) {
    const entry = `MessageAttributes.entry.${n}`;
    const name = form[`${entry}.Name`];
    if (name === undefined) return attributes;
    const value = form[`${entry}.Value.StringValue`] ?? '';
    if (value === '') throw refused(`The message attribute '${name}' must contain a non-empty value.`);
    if (/[\uD800-\uDFFF]/.test(value)) {
      throw refused(`The message attribute '${name}' contains characters that are not allowed.`);
    }
    attributes.set(name, value);
  }
}

/** The attributes of one platform, by their last part: `TTL`, `PUSH_TYPE`, `PRIORITY`. */
export function platformAttributes(
  attributes: ReadonlyMap<string, string>,
  platform: SnsPlatform,
): Map<string, string> {
  // Attributes for APNS also apply to its sandbox, unless the sandbox has its own.
  const families = { GCM: ['GCM', 'FCM'], APNS: ['APNS'], APNS_SANDBOX: ['APNS', 'APNS_SANDBOX'] }[platform];
  const own = new Map<string, string>();
  for (const family of families) {
    const prefix = `AWS.SNS.MOBILE.${family}.`;
    for (const [name, value] of attributes) {
      if (name.startsWith(prefix)) own.set(name.slice(prefix.length), value);
    }
  }
  checkTtl(own.get('TTL'));
  return own;
}

function checkTtl(ttl: string | undefined): void {
  if (ttl === undefined) return;
  if (!/^\d+$/.test(ttl) || Number(ttl) > longestTtlSeconds) throw invalid('TTL', `Invalid TTL value ${ttl}`);
}

function refused(message: string): AwsServiceError {
  return new AwsServiceError(400, 'ParameterValueInvalid', message);
}
