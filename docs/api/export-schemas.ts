/** What tenants see of their export. */
import { categories } from '../../core/events/target-ref.ts';
import { states } from '../../core/export/targets/target.ts';
import { ref, type JsonSchema } from './json-schema.ts';
import { strictObject, text, time, type Members } from './objects.ts';

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });

const kind = (value: string): JsonSchema => ({ type: 'string', const: value });

const destinations: Members = {
  StreamDestination: strictObject('A Kinesis data stream.', {
    kind: kind('stream'),
    streamArn: text('The stream.'),
    roleArn: text('Your role, by which the service writes to the stream.'),
    lanes: {
      type: 'integer',
      minimum: 1,
      description: 'The number of partition keys that the service uses.',
    },
  }),
  BucketDestination: strictObject('An S3 bucket.', {
    kind: kind('bucket'),
    bucket: text("The bucket's name."),
    'bucketOwner?': text("The bucket's account, if it is not that of the key."),
    'kmsKeyArn?': text('Your key that encrypts the objects.'),
  }),
  WebhookDestination: strictObject('A URL of yours that the service calls.', {
    kind: kind('webhook'),
    url: text('Where the events go.'),
  }),
  NoDestination: strictObject('Events of this category are not exported.', { kind: kind('none') }),
};

const action: Members = {
  ExportAction: strictObject('What has to be done so that events arrive, and by whom.', {
    who: text('`nobody`: it passes by itself.', { enum: ['tenant', 'operator', 'nobody'] }),
    what: text('For people.'),
    'policy?': ref('ExportPolicy'),
  }),
  ExportPolicy: strictObject('A policy in your account that must change.', {
    document: text('Which policy it is: of your role, of your bucket, or of your key.', {
      enum: ['trustPolicy', 'permissionPolicy', 'bucketPolicy', 'keyPolicy'],
    }),
    statement: {
      type: 'object',
      additionalProperties: true,
      description: 'The statement that is missing or wrong, as it must be.',
    },
    whole: {
      type: 'object',
      additionalProperties: true,
      description: 'The whole policy, to paste. Keep statements of your own.',
    },
  }),
};

const view: Members = {
  category: text('The events that are exported there.', { enum: [...categories] }),
  destination: {
    description: 'Where the events go.',
    oneOf: Object.keys(destinations).map(ref),
  },
  state: text(
    '`validating`: it is tested before the first event, or after a test failed. `active`: events are delivered as they come. `degraded`: ' +
      'events are delivered with a delay, and it passes by itself. `parked`: the destination refuses events, and they wait. `paused`: you or ' +
      'the operator paused it.',
    { enum: [...states] },
  ),
  since: time('Since when it is in this state.'),
  reason: text('What the state means, or what is wrong. For people.'),
  'code?': text('Identifies what is wrong. Absent if nothing is wrong.'),
  'action?': ref('ExportAction'),
  accepted: count('About how many events came for this export.'),
  delivered: count('About how many events the destination took.'),
  waiting: count('About how many events wait.'),
  oldestWaitingAt: orNull(time('Since when the oldest waiting event waits.')),
  types: {
    type: ['array', 'null'],
    items: { type: 'string' },
    minItems: 1,
    description: 'The only types that are exported. `null`: all types.',
  },
  'warning?': text('A remark, although nothing is wrong.'),
};

export const exportSchemas: Members = {
  ...destinations,
  ...action,
  Export: strictObject('One of your exports: where events of a category go, and how they fare.', view),
  ExportList: strictObject('Your exports, at most one for each category.', {
    exports: { type: 'array', items: ref('Export') },
  }),
};
