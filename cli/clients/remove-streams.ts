import { TargetStore } from '../../core/export/targets/target-store.ts';
import { StreamStore, type Owner } from '../../core/signals/stream-store.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** The streams of signals of a client, which nobody could end after it. What waits to be polled can no longer be read. */
export async function removeStreams(
  { clients: { dynamodb }, tables: { tenants } }: Deployment,
  owner: Owner,
): Promise<void> {
  const store = new StreamStore(dynamodb, tenants, new TargetStore(dynamodb, tenants));
  for (const stream of await store.list(owner)) await store.remove(stream);
}
