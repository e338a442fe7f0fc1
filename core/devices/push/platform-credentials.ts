import * as v from 'valibot';

/** SNS's names of platforms. */
export const platform = v.picklist(['GCM', 'APNS', 'APNS_SANDBOX']);
export type Platform = v.InferOutput<typeof platform>;

/** SNS's attributes of a platform application, including its credentials. */
export type Attributes = Record<string, string>;

const text = v.pipe(v.string(), v.nonEmpty());

/** The key file of the Firebase project's service account, unchanged. */
const fcm = v.looseObject({ type: v.literal('service_account'), project_id: text, private_key: text });

/** A signing key of an Apple developer account (`.p8`), with the ids of the key, the team and the app. */
const apns = v.strictObject({ signingKey: text, signingKeyId: text, teamId: text, bundleId: text });

/**
 * Reads a platform's credentials from a secret. Errors say what was expected and never what was found, because they appear
 * in CloudFormation's events.
 */
export function attributesOf(platformName: Platform, secret: string): Attributes {
  if (platformName === 'GCM') {
    parse(fcm, secret, 'the key file of a Firebase service account');
    return { PlatformCredential: secret };
  }
  const key = parse(
    apns,
    secret,
    'an object with signingKey (the .p8 file), signingKeyId, teamId and bundleId',
  );
  return {
    PlatformCredential: key.signingKey,
    PlatformPrincipal: key.signingKeyId,
    ApplePlatformTeamID: key.teamId,
    ApplePlatformBundleID: key.bundleId,
  };
}

function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  secret: string,
  expected: string,
): v.InferOutput<Schema> {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), secret);
  if (!result.success) throw new Error(`The secret must be JSON: ${expected}.`);
  return result.output;
}
