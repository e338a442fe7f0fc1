import type { Session } from '../session.ts';
import { clientView } from './describe-client.ts';
import type { TenantClient } from './tenant-client.ts';

export type RotationStep = 'begin' | 'finish' | 'cancel';

/** For a client that has two secrets already. */
export const hintOf = (rotate: string): string =>
  `If the website uses the new secret: ${rotate} --finish\nIf the new secret was lost: ${rotate} --cancel`;

const results = {
  finish: 'The old secret is deleted.',
  cancel: 'The new secret is deleted. The old one still works.',
};

export function printDeleted(
  session: Session,
  client: TenantClient,
  { deleted, step }: { deleted: number; step: keyof typeof results },
): void {
  session.print(
    { ...clientView(client), deletedSecrets: deleted },
    deleted === 0 ? 'There is only one secret.' : results[step],
  );
}
