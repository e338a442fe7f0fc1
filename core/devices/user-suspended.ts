import { Refusal } from '../kernel/refusal.ts';

export const userSuspended = (): Refusal =>
  new Refusal('user-suspended', 'The help desk suspended the user. Only it can end that.');
