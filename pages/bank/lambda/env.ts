import * as v from 'valibot';

const text = v.pipe(v.string(), v.nonEmpty());

export const environment = v.object({
  DEMO_TABLE: text,
  /** The secret of Secrets Manager that `omi demo connect` writes. */
  DEMO_SECRET_ARN: text,
});

export type Environment = v.InferOutput<typeof environment>;
