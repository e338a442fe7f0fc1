/**
 * An MCP server with which an agent asks the user for whom it works. One process serves one user. A host starts it over stdio:
 * node --env-file=<omi>/.local/website.env server.ts
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { detailOf, messageOf, paymentFields } from '../approved-payments/payment.ts';
import { connect } from './approval.ts';
import { keepAlive } from './keep-alive.ts';

const { OMI_BASE_URL = '', OMI_CLIENT_ID = '', OMI_CLIENT_SECRET = '', OMI_USER_ID = '' } = process.env;

const ask = await connect({ issuer: OMI_BASE_URL, clientId: OMI_CLIENT_ID, clientSecret: OMI_CLIENT_SECRET });
const server = new McpServer({ name: 'approval', version: '1.0.0' });

server.registerTool(
  'request_approval',
  {
    title: 'Ask the user to approve a payment',
    description:
      'Asks the user on the phone to approve this payment, and waits for the answer. ' +
      'If it is approved, the result has a token that works once, for exactly this payment.',
    inputSchema: {
      ...paymentFields,
      reason: z.string().min(1).max(200).describe('Why the payment is needed, for the user'),
    },
    outputSchema: {
      status: z.enum(['approved', 'refused', 'expired', 'unavailable']),
      approvalToken: z.string().optional(),
      expiresInSeconds: z.number().optional(),
      explanation: z.string().optional(),
    },
    annotations: { readOnlyHint: false, idempotentHint: false },
  },
  async ({ reason, ...payment }, extra) => {
    const end = keepAlive(extra);
    const approval = await ask({
      // Whom to ask, and the text of the question, are never the model's choice.
      userId: OMI_USER_ID,
      message: messageOf(payment),
      // The reason is the model's own words: the phone shows it apart from the payment, and no resource server reads it.
      details: [detailOf(payment), { type: 'reason_of_the_agent', text: reason }],
      signal: extra.signal,
    }).finally(end);
    return {
      content: [{ type: 'text', text: JSON.stringify(approval) }],
      structuredContent: { ...approval },
      isError: approval.status === 'unavailable',
    };
  },
);

await server.connect(new StdioServerTransport());
