/** What receivers of signals get. */
import { signalTypes } from '../../../core/events/signal-events.ts';
import { poll, push } from '../../../core/signals/delivery-methods.ts';
import { statuses } from '../../../core/signals/requests.ts';
import { ref, type JsonSchema } from './json-schema.ts';
import { strictObject, text, type Members } from './objects.ts';

const url = (description: string): JsonSchema => text(description, { format: 'uri' });

const list = (description: string, items: JsonSchema = { type: 'string' }): JsonSchema => ({
  type: 'array',
  items,
  description,
});

const supported: JsonSchema = { type: 'string', enum: signalTypes };

export const signalsSchemas: Members = {
  TransmitterMetadata: strictObject('OpenID Shared Signals Framework 1.0, section 7.1.', {
    spec_version: { type: 'string', const: '1_0', description: 'Of the framework.' },
    issuer: url('`iss` of all signals: the base URL.'),
    jwks_uri: url('Where the keys are that verify signals.'),
    delivery_methods_supported: list('Push (RFC 8935) and poll (RFC 8936).', {
      type: 'string',
      enum: [push, poll],
    }),
    configuration_endpoint: url('Where streams are made and changed.'),
    status_endpoint: url('Where the status of a stream is read and set.'),
    verification_endpoint: url('Where a verification is asked for.'),
    authorization_schemes: list(
      'How receivers authenticate: OAuth 2.0, by the grant of client credentials.',
      strictObject('A scheme.', { spec_urn: { type: 'string', const: 'urn:ietf:rfc:6749' } }),
    ),
    default_subjects: { type: 'string', const: 'ALL', description: 'A stream has all users of its tenant.' },
  }),
  SignalKeySet: strictObject('A JWK set (RFC 7517, section 5).', {
    keys: {
      type: 'array',
      minItems: 1,
      items: strictObject('A public RSA key of 2,048 bits.', {
        kty: { type: 'string', const: 'RSA' },
        n: text('The modulus.', { pattern: '^[A-Za-z0-9_-]{342}$' }),
        e: text('The exponent.', { pattern: '^[A-Za-z0-9_-]+$' }),
        use: { type: 'string', const: 'sig' },
        alg: { type: 'string', const: 'RS256' },
        kid: text('As in the header of the signals that it signed.'),
      }),
    },
  }),
  SignalStream: strictObject('OpenID Shared Signals Framework 1.0, section 8.1.1.', {
    stream_id: text('The stream.', { format: 'uuid' }),
    iss: url('`iss` of its signals: the base URL.'),
    aud: text('`aud` of its signals: the id of your client.'),
    events_supported: list('The types of events that there are.', supported),
    'events_requested?': list('As you requested them.'),
    events_delivered: list('Those of the supported types that you requested.', supported),
    delivery: {
      type: 'object',
      description: 'How signals reach you. The header for pushes is not shown.',
      properties: {
        method: text('Push or poll.', { enum: [push, poll] }),
        endpoint_url: url('Yours for pushes, of the service for polls.'),
      },
      required: ['method', 'endpoint_url'],
      additionalProperties: false,
    },
    'description?': text('As you gave it.'),
  }),
  SignalStreams: {
    description: 'The stream that the query names, or all streams of your client.',
    oneOf: [ref('SignalStream'), { type: 'array', items: ref('SignalStream') }],
  },
  SignalStatus: strictObject('The status of a stream.', {
    stream_id: text('The stream.', { format: 'uuid' }),
    status: text('`paused`: signals wait. `disabled`: they are discarded.', { enum: statuses }),
    'reason?': text('As you gave it.'),
  }),
  PolledSignals: strictObject('RFC 8936, section 2.3.', {
    sets: {
      type: 'object',
      description: 'By `jti`, the signals that you have not acknowledged, the oldest first.',
      additionalProperties: { type: 'string', pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+){2}$' },
    },
    'moreAvailable?': { type: 'boolean', const: true, description: 'There are more. Poll again.' },
  }),
};
