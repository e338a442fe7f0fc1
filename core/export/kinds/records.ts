import * as v from 'valibot';
import { bucketDestination, bucketProperties } from './bucket/record.ts';
import { busDestination, busProperties } from './bus/record.ts';
import { signalsDestination, signalsProperties } from './signals/record.ts';
import { streamDestination, streamProperties } from './stream/record.ts';
import type { KindProperties } from './kind-properties.ts';
import { webhookDestination, webhookProperties } from './webhook/record.ts';

/** Events are not exported. Events that waited for an earlier destination are discarded. */
const none = v.object({ kind: v.literal('none') });

export const destination = v.variant('kind', [
  streamDestination,
  bucketDestination,
  webhookDestination,
  busDestination,
  signalsDestination,
  none,
]);

export type Destination = v.InferOutput<typeof destination>;
export type Kind = Exclude<Destination['kind'], 'none'>;

/** Where events go: a destination of one of the kinds. */
export type Place = Extract<Destination, { kind: Kind }>;
export type PlaceOf<K extends Kind> = Extract<Destination, { kind: K }>;

export const kindProperties: Readonly<Record<Kind, KindProperties>> = {
  stream: streamProperties,
  bucket: bucketProperties,
  webhook: webhookProperties,
  bus: busProperties,
  signals: signalsProperties,
};

export const kinds = Object.keys(kindProperties) as Kind[];
export const bufferedKinds = kinds.filter((kind) => kindProperties[kind].isBuffered);

export const byKind = <Made>(make: (kind: Kind) => Made): Record<Kind, Made> =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as Record<Kind, Made>;

export const isPlace = (given: Destination): given is Place => given.kind !== 'none';

/** Where no events go, nothing has to be known. */
const ofNone: KindProperties = { lineEnd: '', isOrdered: false, isBuffered: false, isSigned: false };

export const propertiesOf = (given: Destination): KindProperties =>
  isPlace(given) ? kindProperties[given.kind] : ofNone;

/** What has no lanes has no order. */
export const laneCount = (given: Destination): number => ('lanes' in given ? given.lanes : 1);
