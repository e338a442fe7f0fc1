import type { Destination, Kind, PlaceOf } from '../../../core/export/kinds/records.ts';
import type { LocalExport } from '../resources/exports.ts';
import type { StackDescription } from '../stack/stack-file.ts';
import type { Aws } from './aws-access.ts';
import { makeBucketTarget } from './bucket-target.ts';
import { makeStreamTarget } from './stream-target.ts';

/** What readers need to know of a destination. */
type Place = Pick<StackDescription['exports'][number], 'kind' | 'streamName' | 'bucket'>;

type Seeded = LocalExport['kind'];
type Initial<K extends Seeded> = {
  make: (aws: Aws, one: Extract<LocalExport, { kind: K }>) => Promise<PlaceOf<K>>;
  placeOf: (destination: PlaceOf<K>) => Place;
};

/** The kinds of the targets with which the stack starts. */
const initials: { [K in Seeded]: Initial<K> } = {
  stream: {
    make: makeStreamTarget,
    placeOf: ({ kind, streamArn }) => ({ kind, streamName: streamArn.slice(streamArn.lastIndexOf('/') + 1) }),
  },
  bucket: { make: makeBucketTarget, placeOf: ({ kind, bucket }) => ({ kind, bucket }) },
};

export async function makeInitial(aws: Aws, one: LocalExport): Promise<Destination> {
  const { make }: { make: (aws: Aws, one: never) => Promise<Destination> } = initials[one.kind];
  return await make(aws, one as never);
}

/** @returns nothing where no reader of the stack looks */
export function placeOf(destination: Destination): Place | undefined {
  const initial: Partial<Record<Kind | 'none', { placeOf: (destination: never) => Place }>> = initials;
  return initial[destination.kind]?.placeOf(destination as never);
}

/** True for the destination that the seed makes, which others may have replaced. */
export function isInitial(destination: Destination, one: LocalExport): boolean {
  const members: Readonly<Record<string, unknown>> = one;
  const place = placeOf(destination);
  return place !== undefined && Object.entries(place).every(([member, value]) => members[member] === value);
}
