import type { StackFile } from '../../tools/local/client/local-stack.ts';
import { localExports } from '../../tools/local/resources/exports.ts';
import { isInitial, makeInitial } from '../../tools/local/seed/initial-target.ts';
import { Register } from '../contract/export/register.ts';

/** Gives the stack's tenants the targets of its start again, where tests have replaced them or left them in trouble. */
export async function restoreTargets(stack: StackFile): Promise<void> {
  const register = new Register(stack);
  await Promise.all(
    localExports.map(async (one) => {
      const { tenantId, category } = one;
      const ref = { tenantId, category };
      const { state, types, destination } = await register.find(ref);
      if (state === 'active' && types === undefined && isInitial(destination, one)) return;
      await register.register(ref, await makeInitial(stack.aws, one));
      const target = await register.find(ref);
      // A pause outlives a new destination.
      if (target.state === 'paused') await register.targets.move(target, 'resume', Date.now());
      await register.reaches(ref, 'active');
    }),
  );
}
