import { randomUUID } from 'node:crypto';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { untilCalled } from '../../support/recorded-calls.ts';
import { answering, proving, Receiver } from '../../support/receiver.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn } from '../../cli/omi.ts';
import { newTenant } from '../../cli/commands/tenants.ts';
import { Register } from '../export/register.ts';
import { taken, waiting } from './export-paths.ts';
import { recordEvents } from './export-operator.ts';

/** A webhook that is proven, takes an event, refuses one, and takes it from the queue. */
async function webhook(stack: TestStack): Promise<void> {
  const receiver = await Receiver.start(proving);
  const register = new Register(stack.file);
  const ref: TargetRef = { tenantId: await newTenant(stack), category: 'public' };
  const url = `${receiver.origin}/${randomUUID()}`;
  await jsonOn(stack)('target', 'set', 'webhook', ref.tenantId, ref.category, '--url', url);
  await jsonOn(stack)('target', 'test', ref.tenantId, ref.category);
  await untilCalled(stack, 'verify-target', 'Decrypt');
  await recordEvents(stack, ref);
  await register.becomes(ref, 'delivered', taken(1));
  receiver.behave = answering(500);
  await recordEvents(stack, ref);
  await register.becomes(ref, 'waiting', waiting(1));
  receiver.behave = proving;
  await register.becomes(ref, 'drained', taken(2));
  await receiver.close();
}

export const webhookPaths = [webhook];
