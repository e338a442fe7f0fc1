import * as v from 'valibot';

export const iamRoleArn = v.pipe(v.string(), v.regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/));

/** The tenant's random string. STS requires 2 characters; 16 cannot be guessed. */
export const externalId = v.pipe(v.string(), v.regex(/^[\w+=,.@:/-]{16,1224}$/));

/**
 * Ordering lanes. A change moves aggregates to other lanes, so consumers may see events out of order for a moment.
 */
export const lanes = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(128)), 2);

/** How events are written. Without it: as they were recorded. */
export const format = v.optional(v.picklist(['cloudevents']));

export const kmsKeyArn = v.pipe(
  v.string(),
  v.regex(/^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[a-zA-Z0-9-]+$/),
);
