import { randomUUID } from 'node:crypto';
import type { RingBuffer } from '../../endpoint/ring-buffer.ts';
import { AwsServiceError } from '../../protocols/errors.ts';
import { asObject, type JsonObject } from '../../protocols/json.ts';
import type { Form, XmlElement } from '../../protocols/query.ts';
import { messageAttributes, platformAttributes } from './attributes.ts';
import { invalid, invalidMessage } from './errors.ts';
import { platformPayload } from './payload.ts';
import { type Endpoint, platforms, type SnsPlatform, type SnsState } from './state.ts';

/** A notification for a push provider. */
export type Push = {
  at: string;
  platform: (typeof platforms)[SnsPlatform];
  token: string;
  endpointArn: string;
  payload: JsonObject;
  /** The headers of the request to APNs, from the message attributes; empty for FCM. */
  headers: Record<string, string>;
};

export type Pushes = RingBuffer<Push>;

const mostMessageBytes = 262_144;

export function publish(state: SnsState, pushes: Pushes, form: Form): XmlElement[] {
  const message = checkedMessage(form);
  const endpoint = enabledEndpoint(state, form);
  const { platform } = state.application(endpoint.applicationArn);
  const attributes = platformAttributes(messageAttributes(form), platform);
  const payload = platformPayload(message, form['MessageStructure'], platform);
  pushes.push({
    at: new Date().toISOString(),
    platform: platforms[platform],
    token: endpoint.token,
    endpointArn: endpoint.arn,
    payload: platform === 'GCM' ? withTtl(payload, attributes.get('TTL')) : payload,
    headers: platform === 'GCM' ? {} : apnsHeaders(attributes),
  });
  return [['MessageId', randomUUID()]];
}

function checkedMessage({ Message: message = '' }: Form): string {
  if (message === '') throw invalidMessage('Empty message');
  if (Buffer.byteLength(message) > mostMessageBytes) throw invalidMessage('Message too long');
  return message;
}

function enabledEndpoint(state: SnsState, { TargetArn, TopicArn, PhoneNumber }: Form): Endpoint {
  if (TopicArn !== undefined) throw new AwsServiceError(404, 'NotFound', 'Topic does not exist');
  if (TargetArn === undefined || PhoneNumber !== undefined)
    throw invalid('TargetArn', 'is the only target here');
  const endpoint = state.endpoint(TargetArn);
  if (state.application(endpoint.applicationArn).attributes['Enabled'] === 'false') {
    throw new AwsServiceError(400, 'PlatformApplicationDisabled', 'Platform application is disabled');
  }
  if (!endpoint.enabled) throw new AwsServiceError(400, 'EndpointDisabled', 'Endpoint is disabled');
  return endpoint;
}

/** The attribute overrides the message's own lifetime (SNS Developer Guide, "Using the TTL message attribute"). */
function withTtl(request: JsonObject, ttl: string | undefined): JsonObject {
  if (ttl === undefined) return request;
  const message = asObject(request['message']);
  return {
    ...request,
    message: { ...message, android: { ...asObject(message['android']), ttl: `${ttl}s` } },
  };
}

const apnsHeaderNames: Record<string, string> = {
  PUSH_TYPE: 'apns-push-type',
  PRIORITY: 'apns-priority',
  TOPIC: 'apns-topic',
  COLLAPSE_ID: 'apns-collapse-id',
};

function apnsHeaders(attributes: ReadonlyMap<string, string>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of attributes) {
    const header = apnsHeaderNames[name];
    if (header !== undefined) headers[header] = value;
    // SNS has a duration, APNs a point in time; 0 means one attempt in both.
    if (name === 'TTL')
      headers['apns-expiration'] = value === '0' ? '0' : String(unixSeconds() + Number(value));
  }
  return headers;
}

function unixSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
