/** The policies for a tenant's event bus, made from what was agreed. */
import * as v from 'valibot';
import type { Target } from '../../targets/target.ts';
import type { Operator } from '../policies/operator-roles.ts';
import {
  agreedRole,
  isOneAccount,
  oneAccount,
  roleDocuments,
  roleFields,
  type RoleDocuments,
} from '../role/role-documents.ts';
import { busWriting } from './bus-policies.ts';
import { busDestination, type BusDestination } from './record.ts';

export const busTarget = v.pipe(
  v.strictObject({ kind: v.literal('bus'), busArn: busDestination.entries.busArn, ...roleFields }),
  v.check((of) => isOneAccount(of), oneAccount),
);

/** @throws {v.ValiError} */
export function busDocuments(input: v.InferInput<typeof busTarget>): RoleDocuments {
  const of = v.parse(busTarget, input);
  return roleDocuments(of, busWriting(of.busArn));
}

export const agreedBus = ({ destination }: Target & { destination: BusDestination }, operator: Operator) => ({
  kind: destination.kind,
  busArn: destination.busArn,
  ...agreedRole(destination, operator),
});
