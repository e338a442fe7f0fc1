import * as v from 'valibot';
import { signalTypes } from '../events/signal-events.ts';
import { signalsDestination, type SignalsDestination } from '../export/kinds/signals/record.ts';
import { target } from '../export/targets/target.ts';
import { poll, push } from './delivery-methods.ts';
import { endpointsOf } from './endpoints.ts';
import type { StreamStatus } from './requests.ts';

/** What the record of a stream has besides that of a target. */
const stream = v.object({
  clientId: v.string(),
  eventsRequested: v.optional(v.array(v.string())),
  description: v.optional(v.string()),
  /** Where signals go. While the stream is disabled, the target has no destination. */
  place: signalsDestination,
});

export const streamRecord = v.object({
  ...target.entries,
  stream,
  /** Why its receiver gave it its status. */
  statusReason: v.optional(v.string()),
});

export type Stream = v.InferOutput<typeof streamRecord>;
export type StreamSettings = Stream['stream'];

/** All of them, if the receiver did not choose. */
export const deliveredTypes = ({ eventsRequested }: Pick<StreamSettings, 'eventsRequested'>): string[] =>
  signalTypes.filter((type) => eventsRequested?.includes(type) ?? true);

export function statusOf({ destination, state }: Pick<Stream, 'destination' | 'state'>): StreamStatus {
  if (destination.kind === 'none') return 'disabled';
  return state === 'paused' ? 'paused' : 'enabled';
}

/** Without the header that the receiver gave, which is a secret. */
const deliveryOf = ({ url, streamId }: SignalsDestination, issuer: string) =>
  url === undefined
    ? { method: poll, endpoint_url: endpointsOf(issuer).poll(streamId) }
    : { method: push, endpoint_url: url };

/** The configuration as its receiver reads it (section 8.1.1). */
export const configurationOf = (
  { stream: { place, eventsRequested, description } }: Pick<Stream, 'stream'>,
  issuer: string,
) => ({
  stream_id: place.streamId,
  iss: issuer,
  aud: place.audience,
  events_supported: signalTypes,
  ...(eventsRequested && { events_requested: eventsRequested }),
  events_delivered: deliveredTypes({ eventsRequested }),
  delivery: deliveryOf(place, issuer),
  ...(description !== undefined && { description }),
});

export type StreamConfiguration = ReturnType<typeof configurationOf>;

export const statusView = (stream: Stream) => ({
  stream_id: stream.stream.place.streamId,
  status: statusOf(stream),
  ...(stream.statusReason !== undefined && { reason: stream.statusReason }),
});
