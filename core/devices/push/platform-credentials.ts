import * as v from 'valibot';

/** SNS's names of the platforms that a platform application is for. */
export const platform = v.picklist(['GCM', 'APNS', 'APNS_SANDBOX']);
export type Platform = v.InferOutput<typeof platform>;

/** SNS's names of a platform application's parts, among them its credentials. */
export type Attributes = Record<string, string>;

const text = v.pipe(v.string(), v.nonEmpty());

/** The service account's key file of the Firebase project, as Google hands it out. */
const fcm = v.looseObject({ type: v.literal('service_account'), project_id: text, private_key: text });

/** A signing key of an Apple developer account (`.p8`), its id, the team's and the app's. */
const apns = v.strictObject({ signingKey: text, signingKeyId: text, teamId: text, bundleId: text });

/**
 * Reads a platform's credentials from the text of their secret. Its errors name what is expected, never what was
 * found: they end up in CloudFormation's events.
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
