/** What tenants see of their export. */
import { categories } from '../../../core/events/target-ref.ts';
import { replayStates } from '../../../core/export/replays/replay.ts';
import { states } from '../../../core/export/targets/target.ts';
import { ref, type JsonSchema } from './json-schema.ts';
import { strictObject, text, time, type Members } from './objects.ts';
import { staffExportSchemas } from './staff-schemas.ts';

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });

const kind = (value: string): JsonSchema => ({ type: 'string', const: value });

const format = text('How the events are written. Absent: as they were recorded.', { enum: ['cloudevents'] });

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
    'format?': format,
  }),
  BusDestination: strictObject('An EventBridge event bus.', {
    kind: kind('bus'),
    busArn: text('The event bus.'),
    roleArn: text('Your role, by which the service sends to the bus.'),
    'format?': format,
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
  lastTest: orNull(ref('ExportTest')),
  'replayed?': count('About how many events of replays the destination took.'),
  'inBucket?': count(
    'Of a bucket: about how many of the delivered events are in it. Firehose writes the others within minutes.',
  ),
  'givenUp?': {
    type: 'array',
    items: ref('GivenUpEvents'),
    minItems: 1,
    description:
      'Events that did not reach the bucket, by the time range of the replay that brings them back.',
  },
  'warning?': text('A remark, although nothing is wrong.'),
};

const samples: Members = {
  'samples?': {
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description:
      'If the query asked for them: an event of each type that the export has, as the destination would get it. Of log events, which may have any type, those of the service, or the types of the export.',
  },
};

const givenUp: Members = {
  GivenUpEvents: strictObject('Events that did not reach the bucket. Replay the range.', {
    from: time('`from` of the replay.'),
    to: time('`to` of the replay.'),
    'events?': count('About how many.'),
    reason: text('Why, for people.'),
  }),
};

const test: Members = {
  ExportTest: strictObject('The last test of the destination, or the one that was asked for since.', {
    outcome: text(
      '`waiting` or `running`: it has not ended. `postponed`: AWS was throttled or unavailable, which says nothing about the destination.',
      { enum: ['waiting', 'running', 'passed', 'failed', 'postponed'] },
    ),
    'event?': {
      ...strictObject('The event that the test sends, if one was asked for.', {
        type: text('Its type.'),
        eventId: text('Its id.', { format: 'uuid' }),
      }),
    },
    requestedAt: time('When it was asked for: by you, by the operator, or by the service itself.'),
    'endedAt?': time('When it ended.'),
    'code?': text('Identifies why it failed or was postponed.'),
    'reason?': text('The same, for people.'),
    'nextAt?': time('When the service repeats it.'),
  }),
};

const replay: Members = {
  Replay: strictObject(
    'Earlier events that are sent to the destination again, with the same ids; in the same order, where the kind of destination keeps one.',
    {
      replayId: text('Names the replay.', { format: 'uuid' }),
      category: text('The events that are replayed.', { enum: [...categories] }),
      state: text(
        '`running`; `done`: everything is queued for delivery, behind other waiting events; `failed`: see `reason`.',
        { enum: [...replayStates] },
      ),
      from: time(
        'The first time of acceptance. Events are kept for 14 days: an earlier time was changed to that.',
      ),
      to: time('The end of the range, not included. A time in the future was changed to now.'),
      'requestedFrom?': time(
        'In the answer that starts the replay: the `from` that was asked for, if it was changed.',
      ),
      'requestedTo?': time('The same of `to`.'),
      'types?': {
        type: 'array',
        items: { type: 'string' },
        description: 'Only these types. Absent: all types.',
      },
      'eventIds?': {
        type: 'array',
        items: { type: 'string', format: 'uuid' },
        description: 'Only these events. Absent: all events.',
      },
      eventsSent: count(
        'How many events were queued for delivery. Fewer than `eventIds`, when the replay is done: the others were not accepted in the range, or are not of the types of the export.',
      ),
      cursorHour: text('The hour of acceptance up to which events were queued, in UTC.', {
        format: 'date-time',
      }),
      'reason?': text('Why it failed, for people.'),
    },
  ),
};

const deliveries: Members = {
  Delivery: strictObject('One attempt to deliver events to the destination.', {
    at: time('When it began.'),
    durationMs: count('How many milliseconds it took, with its repetitions.'),
    outcome: text('`failed`: at least one event was not taken. It is sent again.', {
      enum: ['delivered', 'failed'],
    }),
    events: count('How many events it carried.'),
    delivered: count('How many of them the destination took.'),
    eventIds: {
      type: 'array',
      items: { type: 'string' },
      maxItems: 20,
      description: 'The ids of the first of them; if it failed, of the first that were not taken.',
    },
    'status?': {
      type: 'integer',
      description: 'Of a webhook: the status of the answer that refused events.',
    },
    'answer?': text('Of a webhook: the first 1 KB of that answer.'),
    'code?': text('Identifies what is wrong.'),
    'reason?': text('The same, for people.'),
    'actor?': text('Who has to act; `nobody`: it passes by itself.', {
      enum: ['tenant', 'operator', 'nobody'],
    }),
  }),
  Deliveries: strictObject('The last attempts, newest first.', {
    deliveries: { type: 'array', items: ref('Delivery') },
    'cursor?': text('For the next page.'),
  }),
};

export const exportSchemas: Members = {
  ...deliveries,
  ...replay,
  ...destinations,
  ...action,
  ...givenUp,
  ...test,
  Export: strictObject('One of your exports: where events of a category go, and how they fare.', {
    ...view,
    ...samples,
  }),
  ExportList: strictObject('Your exports, at most one for each category.', {
    tenant: strictObject('Whose exports they are.', {
      tenantId: text('A UUID.'),
      name: text('As the operator registered you.'),
    }),
    exports: { type: 'array', items: ref('Export') },
  }),
  ...staffExportSchemas(view),
};
