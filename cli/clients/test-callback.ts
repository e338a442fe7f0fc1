import { seconds } from '../../core/kernel/time.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import { clientId, exampleClient } from '../ids.ts';
import { timeoutOption } from '../options.ts';
import type { Session } from '../session.ts';
import { fields } from '../text-table.ts';
import { awaitTest, requestTest } from './callback-test-client.ts';
import { requireClient } from './client-store.ts';
import { describeReceiver, describeTest, noCallbacks, receiverView } from './describe-receiver.ts';

type Options = { client: string; timeout: number };

export const testCallbackCommand = defineCommand<Options>({
  name: 'test-callback',
  description:
    'Sends a signed test call to the callback URL of a client, and shows the answer. ' +
    'A success also restarts callbacks that an answer 410 stopped.',
  ids: [clientId],
  options: [timeoutOption({ usual: 60, longest: 600 })],
  examples: [`client test-callback ${exampleClient}`],
  run: testCallback,
});

/** The service makes the call itself, so that it proves the way of every callback: the queue, the key and the network. */
async function testCallback(session: Session, { client: id, timeout }: Options): Promise<void> {
  const deployment = await session.deployment();
  const { callback } = await requireClient(deployment, id);
  if (!callback) throw noCallbacks(id, deployment);
  const testId = await requestTest(deployment, id);
  session.note('The service calls the receiver …');
  const tested = await awaitTest(deployment, { clientId: id, testId, timeoutMs: timeout * seconds });
  if (!tested)
    throw new CommandError(
      `The test call has no result after ${timeout} s.`,
      'See the log of the Lambda retry-callback, or use a longer --timeout.',
    );
  session.print(
    { clientId: id, ...receiverView(tested) },
    fields({ callbacks: describeReceiver(tested), 'test call': describeTest(tested) }),
  );
  if (!tested.lastTest?.succeeded) throw new CommandError('The test call failed.', hint);
}

const hint =
  'The receiver must answer with a status from 200 to 299 within 10 seconds. Its URL must be public and not redirect.';
