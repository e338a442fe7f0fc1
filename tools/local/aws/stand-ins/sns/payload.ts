import { asObject, type JsonObject } from '../../protocols/json.ts';
import { invalid, invalidMessage } from './errors.ts';
import type { SnsPlatform } from './state.ts';

/** The limit of FCM and of APNs. */
const mostPayloadBytes = 4_096;

/** The notification for the endpoint's platform. */
export function platformPayload(
  message: string,
  structure: string | undefined,
  platform: SnsPlatform,
): JsonObject {
  if (structure === undefined) return plainText(message, platform);
  if (structure !== 'json') throw invalidMessage('MessageStructure');
  const forms = parse(message) ?? failParse();
  const own = forms[platform];
  if (typeof own === 'string') return checked(own, platform);
  if (typeof forms['default'] === 'string') return plainText(forms['default'], platform);
  throw invalidMessage(`JSON must contain an entry for 'default' or '${platform}'.`);
}

function checked(payload: string, platform: SnsPlatform): JsonObject {
  const parsed = parse(payload);
  if (!parsed) throw malformed(platform);
  if (Buffer.byteLength(payload) > mostPayloadBytes) throw tooLong(platform);
  return platform === 'GCM' ? fcmRequest(parsed) : parsed;
}

/**
 * The request to FCM's HTTP v1 API: the content of `fcmV1Message`. SNS translates the older form (`notification` and
 * `data` at the top level) itself.
 */
function fcmRequest(payload: JsonObject): JsonObject {
  if (!('fcmV1Message' in payload)) return { message: payload };
  const request = asObject(payload['fcmV1Message']);
  const message = request['message'];
  // FCM accepts only strings as data. It would reject a number after the response of SNS.
  const data = Object.values(asObject(asObject(message)['data']));
  if (typeof message !== 'object' || data.some((value) => typeof value !== 'string')) throw malformed('GCM');
  return request;
}

function plainText(text: string, platform: SnsPlatform): JsonObject {
  const payload = platform === 'GCM' ? { message: { data: { default: text } } } : { aps: { alert: text } };
  if (Buffer.byteLength(JSON.stringify(payload)) > mostPayloadBytes) throw tooLong(platform);
  return payload;
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

function failParse(): never {
  throw invalidMessage('Message Structure - JSON message body failed to parse');
}

function malformed(platform: SnsPlatform): Error {
  return invalid('Message', `Invalid notification for protocol ${platform}: Notification is malformed`);
}

function tooLong(platform: SnsPlatform): Error {
  return invalid('Message', `Invalid notification for protocol ${platform}: Notification is too long`);
}
