import type { Destination } from '../../core/export/kinds/records.ts';
import type { Target } from '../../core/export/targets/target.ts';
import type { StackFile } from '../../tools/local/client/local-stack.ts';
import { type LocalExport, localExports } from '../../tools/local/resources/exports.ts';
import { makeBucketTarget } from '../../tools/local/seed/bucket-target.ts';
import { makeStreamTarget } from '../../tools/local/seed/stream-target.ts';
import { Register } from '../contract/export/register.ts';

/** Gives the stack's tenants the targets of its start again, where tests have replaced them or left them in trouble. */
export async function restoreTargets(stack: StackFile): Promise<void> {
  const register = new Register(stack);
  await Promise.all(
    localExports.map(async (one) => {
      const { tenantId, category } = one;
      const ref = { tenantId, category };
      if (isInitial(await register.find(ref), one)) return;
      await register.activate(ref, await make(stack, one));
    }),
  );
}

function isInitial({ state, types, destination }: Target, one: LocalExport): boolean {
  if (state !== 'active' || types !== undefined) return false;
  return one.kind === 'stream'
    ? destination.kind === 'stream' &&
        destination.streamArn.endsWith(`:${one.account}:stream/${one.streamName}`)
    : destination.kind === 'bucket' && destination.bucket === one.bucket;
}

const make = async ({ aws }: StackFile, one: LocalExport): Promise<Destination> =>
  one.kind === 'stream' ? await makeStreamTarget(aws, one) : await makeBucketTarget(aws, one);
