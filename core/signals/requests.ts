/** Bodies and queries of the requests by which receivers steer their streams. Members that are not named are ignored. */
import * as v from 'valibot';
import { poll, push } from './delivery-methods.ts';

/** The id may be that of no stream: the answer is the same. */
const streamId = v.pipe(
  v.string(),
  v.nonEmpty('expected the id of a stream'),
  v.maxLength(128, 'expected the id of a stream'),
);

const endpointUrl = v.pipe(v.string(), v.maxLength(2048, 'expected at most 2048 characters'));

const pushDelivery = v.object({
  method: v.literal(push),
  endpoint_url: endpointUrl,
  /** RFC 9110, section 5.5: what a header may have. */
  authorization_header: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^[\x21-\x7e](?:[\x20-\x7e]{0,2046}[\x21-\x7e])?$/,
        'expected 1 to 2,048 visible characters of ASCII',
      ),
    ),
  ),
});

/** The service names the URL. One that is given must be the same, but for a new stream, which has none yet. */
const pollDelivery = v.object({ method: v.literal(poll), endpoint_url: v.optional(endpointUrl) });

export const delivery = v.variant('method', [pushDelivery, pollDelivery]);

export type DeliveryRequest = v.InferOutput<typeof delivery>;

const eventType = v.pipe(
  v.string(),
  v.nonEmpty('expected a type of events'),
  v.maxLength(512, 'expected at most 512 characters'),
);

/** What a receiver chooses. Types that nobody knows are ignored, as section 8.1.1 asks. */
const chosen = {
  events_requested: v.optional(
    v.pipe(v.array(eventType, 'expected a list of types'), v.maxLength(100, 'expected at most 100 types')),
  ),
  delivery: v.optional(delivery),
  description: v.optional(v.pipe(v.string(), v.maxLength(1024, 'expected at most 1024 characters'))),
};

export const newStream = v.object(chosen);
export type StreamRequest = v.InferOutput<typeof newStream>;

/** Other members of the configuration may be sent back as they were read. */
export const changedStream = v.looseObject({ stream_id: streamId, ...chosen });
export type StreamChange = v.InferOutput<typeof changedStream>;

export const streamQuery = v.object({ stream_id: streamId });
export const anyStreamQuery = v.object({ stream_id: v.optional(streamId) });

export const statuses = ['enabled', 'paused', 'disabled'] as const;
export type StreamStatus = (typeof statuses)[number];

const reason = v.pipe(v.string(), v.maxLength(1024, 'expected at most 1024 characters'));

export const statusBody = v.object({
  stream_id: streamId,
  status: v.picklist(statuses, 'expected enabled, paused or disabled'),
  reason: v.optional(reason),
});

export const verificationBody = v.object({
  stream_id: streamId,
  state: v.optional(v.pipe(v.string(), v.maxLength(1024, 'expected at most 1024 characters'))),
});

export const pollPath = v.object({ streamId });

const jti = v.pipe(
  v.string(),
  v.nonEmpty('expected the jti of a signal'),
  v.maxLength(256, 'expected the jti of a signal'),
);

const failure = v.object({ err: v.optional(v.string()), description: v.optional(v.string()) });

/** RFC 8936, section 2.2. */
export const pollBody = v.object({
  maxEvents: v.optional(
    v.pipe(v.number(), v.integer('expected a whole number'), v.minValue(0, 'expected 0 or more')),
  ),
  returnImmediately: v.optional(v.boolean()),
  ack: v.optional(v.pipe(v.array(jti, 'expected a list'), v.maxLength(1000, 'expected at most 1000'))),
  setErrs: v.optional(v.record(jti, failure)),
});

export type PollRequest = v.InferOutput<typeof pollBody>;
