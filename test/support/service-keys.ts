import type { OmiKeys } from '#website';

/** The service's keys, as verifiers of its receipts load them. */
export async function keysOf(baseUrl: string): Promise<OmiKeys> {
  const response = await fetch(`${baseUrl}/.well-known/omi-keys`);
  if (!response.ok) throw new Error(`The keys were answered with ${response.status}`);
  return (await response.json()) as OmiKeys;
}

/** What `verifyEvidence` needs besides the question. */
export const trustIn = async ({ baseUrl }: { baseUrl: string }) => ({
  baseUrl,
  keys: await keysOf(baseUrl),
});
