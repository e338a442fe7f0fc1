/** A cold start on a busy machine. */
export const LONGEST_LAUNCH_MS = 60_000;

/** Beside those of Playwright, which leave out extensions, updates and calls in the background. */
export const chromiumFlags: readonly string[] = [
  // Its sandbox needs user namespaces, which root has not in a container. It loads the pages of the tests only.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
];
