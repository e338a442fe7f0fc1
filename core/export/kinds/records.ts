import * as v from 'valibot';
import { bucketDestination, bucketTraits } from './bucket/record.ts';
import { busDestination, busTraits } from './bus/record.ts';
import { signalsDestination, signalsTraits } from './signals/record.ts';
import { streamDestination, streamTraits } from './stream/record.ts';
import type { Traits } from './traits.ts';
import { webhookDestination, webhookTraits } from './webhook/record.ts';

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

export const traits: Readonly<Record<Kind, Traits>> = {
  stream: streamTraits,
  bucket: bucketTraits,
  webhook: webhookTraits,
  bus: busTraits,
  signals: signalsTraits,
};

export const kinds = Object.keys(traits) as Kind[];
export const bufferedKinds = kinds.filter((kind) => traits[kind].isBuffered);

export const isPlace = (given: Destination): given is Place => given.kind !== 'none';

/** Where no events go, nothing has to be known. */
const ofNone: Traits = { lineEnd: '', isOrdered: false, isBuffered: false, isSigned: false };

export const traitsOf = (given: Destination): Traits => (isPlace(given) ? traits[given.kind] : ofNone);

/** What has no lanes has no order. */
export const laneCount = (given: Destination): number => ('lanes' in given ? given.lanes : 1);
