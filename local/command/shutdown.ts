import { npmParents, watchParents } from './npm-parents.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ctrl-C reaches the program twice under npm, which passes on what the terminal already sent to everybody. */
const SAME_SIGNAL_MS = 500;

export type ShutdownRequest = {
  /** Resolves when a signal, or the end of the npm that started this program, asks for its end. */
  readonly requested: Promise<void>;
};

/**
 * Listens for what ends the program.
 *
 * @param force is called at a second signal: nobody wants to wait any longer
 */
export function listenForShutdown(force: () => void): ShutdownRequest {
  let request: () => void;
  const requested = new Promise<void>((resolve) => (request = resolve));
  let askedAt: number | undefined;
  const onSignal = (): void => {
    askedAt ??= Date.now();
    if (Date.now() - askedAt > SAME_SIGNAL_MS) force();
    else request();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  watchParents(npmParents(), () => request());
  // A terminal or a pipe that is gone takes no more lines; the reason to end comes as a signal, if at all.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  return { requested };
}
