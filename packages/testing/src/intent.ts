/** What a user does with a question, or has. */
export type Intent =
  | 'confirms'
  | 'denies'
  /** Says "I did not start this". */
  | 'reports'
  | 'ignores'
  | 'has-no-device'
  /** Confirms on the one that is asked. */
  | 'has-two-devices'
  /** Milliseconds after the question. */
  | { after: number; then: Intent };

export type Step = Exclude<Intent, object>;

/** What it comes to, and how long after the question. */
export function lastStep(intent: Intent): { step: Step; afterMs: number } {
  if (typeof intent === 'string') return { step: intent, afterMs: 0 };
  const { step, afterMs } = lastStep(intent.then);
  return { step, afterMs: intent.after + afterMs };
}

/** With how many devices a user begins. Who loses the device later has it until then. */
export function devicesOf(intent: Intent): number {
  if (intent === 'has-no-device') return 0;
  return lastStep(intent).step === 'has-two-devices' ? 2 : 1;
}
