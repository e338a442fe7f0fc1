import type { Action, Arguments } from './action.ts';

export type CarriedOut = { ok: true; value: unknown } | { ok: false; explanation: string };

const withheld = 'The action is done, but its result held the approval token and is withheld.';

const failed = (error: unknown, token: string): CarriedOut => {
  const reason = error instanceof Error ? error.message : '';
  const shown = reason === '' || reason.includes(token) ? '' : ` (${reason})`;
  return { ok: false, explanation: `It was approved, but carrying it out failed${shown}.` };
};

/** Runs the approved action. Whatever it returns or throws, the token does not leave with it. */
export async function carryOut(
  run: NonNullable<Action['run']>,
  args: Arguments,
  token: string,
): Promise<CarriedOut> {
  try {
    // A result is kept as JSON. A function that returns nothing has done its work, too.
    const text = JSON.stringify((await run(args, token)) ?? null);
    return text.includes(token)
      ? { ok: false, explanation: withheld }
      : { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return failed(error, token);
  }
}
