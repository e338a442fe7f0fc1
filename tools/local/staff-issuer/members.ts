import { localTenants } from '../resources/tenants.ts';

/** Whom the staff issuer of the local stack signs in. */
export type LocalMember = { memberId: string; name: string; groups: string[] };

const [demo] = localTenants;

/** One operator, one member of the support of the demo's tenant alone, and one who looks after the exports of this tenant. */
export const localMembers: readonly LocalMember[] = [
  { memberId: 'olga', name: 'Olga (operator)', groups: ['operator'] },
  { memberId: 'sam', name: `Sam (support of ${demo.name})`, groups: [`support:${demo.tenantId}`] },
  { memberId: 'ines', name: `Ines (engineer of ${demo.name})`, groups: [`exports:${demo.tenantId}`] },
];

/** @returns nothing for a stranger */
export const memberOf = (memberId: string | undefined): LocalMember | undefined =>
  localMembers.find((member) => member.memberId === memberId);
