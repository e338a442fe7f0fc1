/** Answers about signals in the OpenAPI document, made by the code that answers. */
import { credentialChange } from '../../../core/events/signal-events.ts';
import { poll, push } from '../../../core/signals/delivery-methods.ts';
import { configurationOf } from '../../../core/signals/stream.ts';
import { transmitterMetadata } from '../../../core/signals/transmitter-metadata.ts';

const baseUrl = 'https://omi.example.org';
const clientId = 'partner-receiver';
export const exampleStreamId = '0193ab52-7a10-4c1e-8f3d-2b6a9c0e4d71';
const jti = '0193ab52-6c1e-7d4a-9b1f-3e5c7a9d2b46';

/** Of no key: the signature is too short to be one. */
const token = `${[
  { alg: 'RS256', typ: 'secevent+jwt', kid: 'q2Xl0mJtV5cHd9Ba' },
  { iss: baseUrl, jti, iat: 1772442845, aud: clientId },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.')}.AAAA`;

const own = { kind: 'signals', streamId: exampleStreamId, audience: clientId, lanes: 2 } as const;
const url = 'https://receiver.example.com/events';
const eventsRequested = [credentialChange];
const description = 'Devices of our shared customers';

const pushed = configurationOf(
  { stream: { clientId, eventsRequested, description, place: { ...own, url } } },
  baseUrl,
);
const polled = configurationOf({ stream: { clientId, place: own } }, baseUrl);

export const exampleSignals = {
  metadata: transmitterMetadata(baseUrl),
  keys: {
    keys: [
      {
        kty: 'RSA',
        n: `${'vI3cD8Qm'.repeat(42)}v7Rk5Q`,
        e: 'AQAB',
        use: 'sig',
        alg: 'RS256',
        kid: 'q2Xl0mJtV5cHd9Ba',
      },
    ],
  },
  pushed,
  polled,
  streams: [pushed],
  enabled: { stream_id: exampleStreamId, status: 'enabled' },
  paused: { stream_id: exampleStreamId, status: 'paused', reason: 'Maintenance until noon' },
  sets: { sets: { [jti]: token } },
  noSets: { sets: {} },
};

export const exampleSignalRequests = {
  push: {
    delivery: { method: push, endpoint_url: url, authorization_header: 'Bearer of-the-receiver' },
    events_requested: eventsRequested,
    description,
  },
  poll: { delivery: { method: poll } },
  change: { stream_id: exampleStreamId, description },
  replacement: {
    stream_id: exampleStreamId,
    delivery: { method: push, endpoint_url: url },
    events_requested: eventsRequested,
    description,
  },
  pause: { stream_id: exampleStreamId, status: 'paused', reason: 'Maintenance until noon' },
  verification: { stream_id: exampleStreamId, state: 'VGhpcyBpcyBhIHN0YXRl' },
  pollAndAcknowledge: { maxEvents: 10, returnImmediately: true, ack: [jti] },
};
