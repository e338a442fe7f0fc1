import * as v from 'valibot';

const text = v.pipe(v.string(), v.nonEmpty());

/** Environment variables, each with the same meaning in every Lambda. */
export const variables = v.object({
  DEVICES_TABLE: text,
  CONFIRMATIONS_TABLE: text,
  ENROLMENTS_TABLE: text,
  TENANTS_TABLE: text,
  EVENTS_TABLE: text,
  EXPIRIES_TABLE: text,
  ATTEMPTS_TABLE: text,
  LEDGER_TABLE: text,
  SIGNALS_TABLE: text,
  LOG_TABLE: text,
  EXPIRY_QUEUE_URL: text,
  /** First attempts of callbacks. */
  CALLBACKS_QUEUE_URL: text,
  /** Callbacks that failed, or whose receiver is not known to be quick. */
  RETRIES_QUEUE_URL: text,
  /** The API's URL without a final slash: `aud` of every call of a device. */
  BASE_URL: v.pipe(v.string(), v.url(), v.regex(/[^/]$/)),
  /** Base URLs that the service had before, separated by commas. What names one of them is accepted, too. */
  FORMER_BASE_URLS: v.optional(text),
  /** Host and path of the app's universal link, for example `https://app.example.com`. */
  APP_LINK: v.pipe(v.string(), v.url(), v.regex(/[^/]$/)),
  /** The stage's brand: the name of its app, and its colour. */
  APP_NAME: v.optional(text),
  APP_COLOR: v.optional(text),
  /** The host to which passkeys belong. */
  RP_ID: text,
  /** Origins from which passkeys are accepted, separated by commas. The first is the web app's. */
  ORIGINS: text,
  /** SNS platform applications. Absent if the stack has no credentials for the platform. */
  FCM_APPLICATION_ARN: v.optional(text),
  APNS_APPLICATION_ARN: v.optional(text),
  APNS_SANDBOX_APPLICATION_ARN: v.optional(text),
  /** VAPID public key: an uncompressed point of P-256 in base64url (RFC 8292, section 3.2). */
  WEB_PUSH_PUBLIC_KEY: text,
  /** The secret of Secrets Manager with the VAPID key. */
  WEB_PUSH_SECRET_ARN: text,
  /** `sub` of VAPID tokens: how the operators of push services reach the operator of the stage. */
  WEB_PUSH_CONTACT: v.pipe(v.string(), v.regex(/^(mailto:|https:)/)),
  /** Hosts of push services besides those of the browsers, separated by commas. */
  WEB_PUSH_HOSTS: v.optional(text),
  /** Origin of the local stack's push service. */
  WEB_PUSH_LOCAL_ORIGIN: v.optional(text),
  /** The KMS key that encrypts secrets at rest. */
  SECRETS_KEY_ID: text,
  /** Set on the local stack alone: callbacks and webhooks may go to `http://127.0.0.1`. */
  OUTBOUND_LOOPBACK: v.optional(v.literal('allowed')),
  /** The KMS key that signs tokens. */
  SIGNING_KEY_ID: text,
  /** Its name among the published keys. */
  SIGNING_KID: text,
  /** The KMS key that signs receipts of enrolments. */
  RECEIPT_KEY_ID: text,
  RECEIPT_KID: text,
  /** The KMS keys of signals, separated by commas. The first one signs. */
  SIGNAL_KEY_IDS: text,
  /** The KMS key that signs checkpoints of logs. */
  LOG_KEY_ID: text,
  LOG_KID: text,
});

/** The variables of Lambdas that are called with something that names a base URL. */
export const baseUrlVariables = ['BASE_URL', 'FORMER_BASE_URLS'] as const;

/** The variables of Lambdas that know about passkeys. */
export const relyingPartyVariables = ['RP_ID', 'ORIGINS'] as const;

/** The variables of Lambdas that create SNS endpoints. */
export const applications = [
  'FCM_APPLICATION_ARN',
  'APNS_APPLICATION_ARN',
  'APNS_SANDBOX_APPLICATION_ARN',
] as const;

/** The variables of Lambdas that accept web push subscriptions. */
export const pushServices = ['WEB_PUSH_HOSTS', 'WEB_PUSH_LOCAL_ORIGIN'] as const;

/** The variables of Lambdas that push. */
export const pushVariables = ['ORIGINS', 'WEB_PUSH_SECRET_ARN', 'WEB_PUSH_CONTACT', ...pushServices] as const;

/** The variables of Lambdas that ask for a confirmation. */
export const sendVariables = [
  'DEVICES_TABLE',
  'CONFIRMATIONS_TABLE',
  'EVENTS_TABLE',
  ...applications,
  ...pushVariables,
] as const;

/** Checks the environment at cold start, so that the first call after a deployment reports a wrong variable by name. */
export function parseEnvironment<const Schema extends v.GenericSchema>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, environment);
  if (result.success) return result.output;
  const faults = result.issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`);
  throw new Error(`The Lambda's environment is incomplete. ${faults.join('; ')}`);
}
