import type { Confirmed } from '../types.ts';
import type { Confirmations } from './confirmations.ts';
import { Denied } from './denied.ts';
import { isId } from './ids.ts';
import type { AskedRecord } from './records.ts';

/** A confirmation allows the action for this time after the user's decision. */
const longestAgeMs = 2 * 60_000;

export type Usable = { id: string; asked: AskedRecord; confirmation: Confirmed };

type Claim = {
  id: string;
  owner: string;
  /** Whether the confirmation allows this very action. */
  allows: (asked: AskedRecord) => boolean;
};

/**
 * A confirmation that this session may use now, and once: it is not used up yet.
 *
 * @throws {Denied}
 */
export async function usable(
  confirmations: Confirmations,
  { id, owner, allows }: Claim,
  now: number,
): Promise<Usable> {
  const asked = isId(id) ? await confirmations.find(id, owner) : undefined;
  if (!asked) throw unknown();
  if (!allows(asked))
    throw new Denied('The user confirmed something else.', { code: 'confirmation-mismatch' });
  const state = await confirmations.look(id, asked);
  if (state.status !== 'confirmed' || !state.confirmation)
    throw new Denied('The user has not confirmed this.', { code: 'not-confirmed' });
  const { confirmation, decidedAt = NaN } = state;
  if (!(now - decidedAt <= longestAgeMs))
    throw new Denied('It was confirmed too long ago.', { code: 'confirmation-too-old' });
  return { id, asked, confirmation };
}

const unknown = (): Denied =>
  new Denied('There is no such confirmation, or it was used.', { code: 'confirmation-unknown' });

/**
 * Uses it up.
 *
 * @throws {Denied} if another request used it first
 */
export async function takeOnce(confirmations: Confirmations, id: string): Promise<void> {
  if (!(await confirmations.take(id))) throw unknown();
}
