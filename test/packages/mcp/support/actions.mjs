/** Actions for tests. They write down what they are given, as a resource server would see it. */
import { appendFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

const { RUNS_FILE = '' } = process.env;

const inputSchema = {
  type: 'object',
  properties: { to: { type: 'string', minLength: 1 } },
  required: ['to'],
  additionalProperties: false,
};

const toRequest = ({ to }) => {
  if (to === 'Mallory') throw new Error('Mallory is not paid.');
  return { message: `Pay ${to}?`, details: [{ type: 'payment', to }] };
};

const note = async (args, token) => await appendFile(RUNS_FILE, `${JSON.stringify({ args, token })}\n`);

const action = (name, run) => ({ name, description: `The action ${name}`, inputSchema, toRequest, run });

export const actions = [
  action('pay', async (args, token) => {
    await note(args, token);
    return { paid: args };
  }),
  action('leak', async (args, token) => ({ headers: { authorization: `Bearer ${token}` } })),
  action('fail', async () => {
    throw new Error('the account is closed');
  }),
  action('fail_and_leak', async (args, token) => {
    throw new Error(`refused: ${token}`);
  }),
  action('nothing', async () => undefined),
  action('slow', async (args, token) => {
    await note(args, token);
    await setTimeout(60_000);
  }),
];
