/** The policies of one tenant's target, made from what was agreed, all of it checked. */
import * as v from 'valibot';
import type { Target } from '../../targets/target.ts';
import {
  agreedBucket,
  bucketDocuments,
  bucketTarget,
  type BucketDocuments,
} from '../bucket/bucket-documents.ts';
import { agreedBus, busDocuments, busTarget } from '../bus/bus-documents.ts';
import { isPlace, type Kind, type PlaceOf } from '../records.ts';
import type { RoleDocuments } from '../role/role-documents.ts';
import { agreedStream, streamDocuments, streamTarget } from '../stream/stream-documents.ts';
import type { Operator } from './operator-roles.ts';

export type TenantDocuments = RoleDocuments | BucketDocuments;

const target = v.variant('kind', [streamTarget, bucketTarget, busTarget]);

/** What operator and tenant agreed on. */
export type TenantTarget = v.InferInput<typeof target>;

type TargetOf<K extends TenantTarget['kind']> = Extract<TenantTarget, { kind: K }>;

const makers: { [K in TenantTarget['kind']]: (input: TargetOf<K>) => TenantDocuments } = {
  stream: streamDocuments,
  bucket: bucketDocuments,
  bus: busDocuments,
};

/** @throws {v.ValiError} for anything that could mean more in a policy than it says */
export function tenantDocuments(input: TenantTarget): TenantDocuments {
  const { kind } = v.parse(target, input);
  const make: (input: never) => TenantDocuments = makers[kind];
  return make(input as never);
}

/** Kinds without policies of the tenant have none. */
const agreed: {
  [K in Kind]?: (of: Target & { destination: PlaceOf<K> }, operator: Operator) => TenantTarget | undefined;
} = { stream: agreedStream, bucket: agreedBucket, bus: agreedBus };

/** @returns nothing if the target needs no policies, or its record does not have all that they name */
export function agreedFor(registered: Target, operator: Operator): TenantTarget | undefined {
  const { destination } = registered;
  if (!isPlace(destination)) return undefined;
  const read: ((of: never, operator: Operator) => TenantTarget | undefined) | undefined =
    agreed[destination.kind];
  return read?.(registered as never, operator);
}
