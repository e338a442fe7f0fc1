/** Runs the agent of the examples with a scripted model, as a program: the issuer's certificate is given when Node.js starts. */
import { MockLanguageModelV2 } from 'ai/test';
import { createAgent } from '../../../docs/examples/ai-agent/agent.ts';

const { AGENT = '{}' } = process.env;
const { calls, ...options } = JSON.parse(AGENT);

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const model = new MockLanguageModelV2({
  doGenerate: [
    ...calls.map((input, index) => ({
      content: [
        {
          type: 'tool-call',
          toolCallId: `call-${index}`,
          toolName: 'pay',
          input: JSON.stringify(input),
        },
      ],
      finishReason: 'tool-calls',
      usage,
      warnings: [],
    })),
    {
      content: [{ type: 'text', text: 'Done.' }],
      finishReason: 'stop',
      usage,
      warnings: [],
    },
  ],
});

const { steps } = await createAgent({ model, ...options })(
  'Reserve a table at Café Zoë, and pay the deposit.',
);
const results = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
// All that the model has seen.
const seen = model.doGenerateCalls.map(({ prompt }) => prompt);
process.stdout.write(JSON.stringify({ results, seen: JSON.stringify(seen) }));
