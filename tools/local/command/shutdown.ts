import { npmParents, watchParents } from './npm-parents.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Under npm, Ctrl-C arrives twice: from the terminal, and forwarded by npm. */
const sameSignalMs = 500;

export type ShutdownRequest = {
  /** Resolves at a signal, or when the npm that started this program ends. */
  readonly requested: Promise<undefined>;
};

/**
 * Listens for signals, and for the end of the npm that started this program.
 *
 * @param force is called at a second signal, to exit at once
 */
export function listenForShutdown(force: () => void): ShutdownRequest {
  const { promise: requested, resolve: request } = Promise.withResolvers<undefined>();
  let askedAt: number | undefined;
  const onSignal = (): void => {
    askedAt ??= Date.now();
    if (Date.now() - askedAt > sameSignalMs) force();
    else request(undefined);
  };
  for (const signal of signals) process.on(signal, onSignal);
  watchParents(npmParents(), () => request(undefined));
  // A closed terminal or pipe is no error; a signal follows if the program must exit.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  return { requested };
}
