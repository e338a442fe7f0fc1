import type { Detail } from '../omi/question.ts';

export type Arguments = Record<string, unknown>;

/** What the user is asked. It is made of checked values, by the operator's code and not by the model. */
export type ApprovalRequest = { message: string; details: readonly Detail[] };

/** Something that an agent may ask for. Each action is a tool of the server. */
export type Action = {
  name: string;
  title?: string | undefined;
  /** For the model. */
  description: string;
  /** JSON Schema of the arguments. Arguments that do not meet it ask nobody. */
  inputSchema: { type: 'object'; [keyword: string]: unknown };
  toRequest: (args: Arguments) => ApprovalRequest | Promise<ApprovalRequest>;
  /**
   * Carries the action out, with the approval token. It is called once, and what it returns goes to the model. Without it
   * the model gets the decision alone.
   */
  run?: ((args: Arguments, token: string) => unknown) | undefined;
};
