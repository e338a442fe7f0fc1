import * as v from 'valibot';

const text = v.pipe(v.string(), v.nonEmpty());

/** The names that a Lambda's environment may use, with the one meaning each has everywhere. */
export const variables = v.object({
  DEVICES_TABLE: text,
  CONFIRMATIONS_TABLE: text,
  ENROLMENTS_TABLE: text,
  TENANTS_TABLE: text,
  EVENTS_TABLE: text,
  EXPIRY_QUEUE_URL: text,
  /** The API's URL without a slash at its end: `aud` of every device call (contract part 3). */
  BASE_URL: v.pipe(v.string(), v.url(), v.regex(/[^/]$/)),
  /** Host and path of the app's universal link, for example `https://app.example.com`. */
  APP_LINK: v.pipe(v.string(), v.url(), v.regex(/[^/]$/)),
  /** SNS platform applications; a stack without the platform's credentials has none. */
  FCM_APPLICATION_ARN: v.optional(text),
  APNS_APPLICATION_ARN: v.optional(text),
  APNS_SANDBOX_APPLICATION_ARN: v.optional(text),
});

/** The variables of those Lambdas that make SNS endpoints. */
export const applications = [
  'FCM_APPLICATION_ARN',
  'APNS_APPLICATION_ARN',
  'APNS_SANDBOX_APPLICATION_ARN',
] as const;

/** Reads and checks the environment once, at cold start: a wrong one fails the deployment's first call by name. */
export function parseEnvironment<const Schema extends v.GenericSchema>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, environment);
  if (result.success) return result.output;
  const faults = result.issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`);
  throw new Error(`The Lambda's environment is incomplete. ${faults.join('; ')}`);
}
