import { Exports } from '#consumer';
import { eventually } from '../../../client/waiting.ts';
import { seconds } from '../../../core/kernel/time.ts';
import { CommandError } from '../../command-error.ts';
import type { Scene } from '../scene.ts';
import type { StepDefinition, StepRun } from '../step-runner.ts';
import { eventType, type Recorded } from './events.ts';
import type { Website } from './website.ts';

export const tenantSeesExport: StepDefinition = {
  name: 'exports-api',
  title: 'The tenant sees its export, and its ledger has the recorded events',
  limitSeconds: 120,
  hint: 'See the logs of the Lambdas list-exports and get-ledger.',
};

/** With a token that can do nothing else. */
export async function readExport(
  { deployment: { baseUrl } }: Scene,
  { tokenFor }: Website,
  { eventIds, from, to }: Recorded,
  { signal, say }: StepRun,
): Promise<void> {
  const token = await tokenFor(['omi:exports:get']);
  const exports = new Exports({ baseUrl, token: async () => await Promise.resolve(token) });
  const own = (await exports.list()).find(({ category }) => category === 'public');
  if (!own) throw new CommandError('The list of exports lacks that of public events');
  const range = { from: new Date(from), to: new Date(to) };
  const counted = async (): Promise<true | undefined> => {
    const hours = await exports.ledger('public', range);
    const count = hours.reduce((sum, { types }) => sum + (types[eventType]?.count ?? 0), 0);
    return count === eventIds.length ? true : undefined;
  };
  // The index of the events table follows the table with a delay.
  const patience = { everyMs: seconds, atMostMs: 60 * seconds, signal };
  await eventually('A ledger with exactly the recorded events', counted, patience);
  say(`${own.state}, ${eventIds.length} events in the ledger`);
}
