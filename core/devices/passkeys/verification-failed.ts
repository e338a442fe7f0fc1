import { Refusal } from '../../kernel/refusal.ts';

export const verificationFailed = (detail: string, cause?: unknown): Refusal =>
  new Refusal('user-verification-failed', detail, { cause });

export const verificationRequired = (detail: string): Refusal =>
  new Refusal('user-verification-required', detail);
