import type { Action } from './action.ts';

const longestAction = 200;
const longestReason = 500;

/** The tool of a server without actions: the user decides, and the agent learns the decision. */
export const requestApproval: Action = {
  name: 'request_approval',
  title: 'Ask the user for approval',
  description:
    'Asks the user on the phone to approve what you are about to do, and gives you the decision. ' +
    'Do nothing before it is approved, and do not ask again after a refusal.',
  inputSchema: {
    type: 'object',
    properties: {
      action: {
        type: 'string',
        minLength: 1,
        maxLength: longestAction,
        description:
          'What you are about to do, with every value that matters, such as "Delete the folder reports"',
      },
      reason: { type: 'string', minLength: 1, maxLength: longestReason, description: 'Why it is needed' },
    },
    required: ['action', 'reason'],
    additionalProperties: false,
  },
  toRequest: ({ action, reason }) => ({
    // The user must know whose words these are.
    message: `An AI agent asks: ${String(action)}`,
    details: [{ type: 'request_of_the_agent', action, reason }],
  }),
};
