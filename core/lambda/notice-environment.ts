import * as v from 'valibot';
import { variables } from './environment.ts';

/** The environment of the Lambdas that tell people of exports. */
export const noticeVariables = v.object({
  ...v.pick(variables, ['TENANTS_TABLE', 'EVENTS_TABLE', 'BASE_URL', 'SECRETS_KEY_ID', 'OUTBOUND_LOOPBACK'])
    .entries,
  /** The address that mails come from. Missing if the stage sends none. */
  MAIL_FROM: v.optional(v.pipe(v.string(), v.nonEmpty())),
  /** The page on which tenants see their exports. Missing if the stage has none. */
  EXPORTS_URL: v.optional(v.pipe(v.string(), v.url())),
});

export type NoticeEnvironment = Omit<v.InferOutput<typeof noticeVariables>, 'EVENTS_TABLE'>;
