import type { Target } from '../targets/target.ts';
import type { Kind } from './records.ts';

/** What is tested, and when. `proof` is the text that the owner of a bucket read. */
export type Claim<Tested extends Target = Target> = {
  target: Tested;
  proof: string | undefined;
  now: number;
};

/** Tests whether targets of one kind can be trusted, and take events in the way in which they are sent later. */
export type Probe = {
  /**
   * @param claim whose target is of the probe's kind
   * @returns a warning, although nothing is wrong
   * @throws {CheckFailed} with the first fault
   * @throws {TargetChanged}
   */
  prove(claim: Claim): Promise<string | undefined>;
};

export type Probes = Readonly<Record<Kind, Probe>>;

/** The target is no longer what was tested. */
export class TargetChanged extends Error {
  override readonly name = 'TargetChanged';
}

export function orChanged(applied: boolean): void {
  if (!applied) throw new TargetChanged();
}
