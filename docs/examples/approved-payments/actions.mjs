/** What an agent may do once the user has approved it: npx @omi/mcp --actions ./actions.mjs */
const { PAYMENTS_URL = 'http://127.0.0.1:3001' } = process.env;

const pay = {
  name: 'pay',
  title: 'Pay',
  description:
    'Makes a payment, after the user has approved it on the phone. Do not repeat it after a refusal.',
  inputSchema: {
    type: 'object',
    properties: {
      to: { type: 'string', minLength: 1, maxLength: 70, description: 'Name of the payee' },
      amount: { type: 'string', pattern: '^(0|[1-9]\\d{0,5})\\.\\d{2}$', description: 'For example 16.00' },
      currency: { enum: ['EUR', 'USD'] },
      reason: { type: 'string', minLength: 1, maxLength: 200, description: 'Why, for the user' },
    },
    required: ['to', 'amount', 'currency', 'reason'],
    additionalProperties: false,
  },
  // The model writes neither the message nor the payment, and its reason is shown apart from them.
  toRequest: ({ to, amount, currency, reason }) => ({
    message: `Pay ${amount} ${currency} to ${to}?`,
    details: [
      { type: 'payment', to, amount, currency },
      { type: 'reason_of_the_agent', text: reason },
    ],
  }),
  run: async ({ to, amount, currency }, token) => {
    const response = await fetch(`${PAYMENTS_URL}/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to, amount, currency }),
    });
    if (!response.ok) throw new Error(`the payments server answered ${response.status}`);
    return await response.json();
  },
};

export const actions = [pay];
