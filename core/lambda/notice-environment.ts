import * as v from 'valibot';
import { variables } from './environment.ts';
import { wholeSeconds } from './whole-seconds.ts';

/** The environment of the Lambdas that tell people of exports. */
export const noticeVariables = v.object({
  ...v.pick(variables, ['TENANTS_TABLE', 'EVENTS_TABLE', 'BASE_URL', 'SECRETS_KEY_ID', 'OUTBOUND_LOOPBACK'])
    .entries,
  /** The address that mails come from. Missing if the stage sends none. */
  MAIL_FROM: v.optional(v.pipe(v.string(), v.nonEmpty())),
  /** Seconds that a trouble lasts before its tenant is told. */
  NOTICE_PATIENCE: v.optional(wholeSeconds, '300'),
  /** The page on which tenants see their exports. Missing if the stage has none. */
  EXPORTS_URL: v.optional(v.pipe(v.string(), v.url())),
});

export type NoticeEnvironment = Omit<v.InferOutput<typeof noticeVariables>, 'EVENTS_TABLE'>;
