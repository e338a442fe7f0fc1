/** Jest loads setup and teardown apart; what they have in common is the process. */
type WithTeardown = typeof globalThis & { stopTestServices?: () => Promise<void> };

export const keepForTeardown = (stop: () => Promise<void>): void => {
  (globalThis as WithTeardown).stopTestServices = stop;
};

export default async function globalTeardown(): Promise<void> {
  await (globalThis as WithTeardown).stopTestServices?.();
}
