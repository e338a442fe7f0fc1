import * as v from 'valibot';

/** A secret that signs calls, sealed by the stack's key for secrets. Time in milliseconds since 1970. */
export const sealedSecret = v.object({ sealed: v.string(), createdAt: v.number() });

export type SealedSecret = v.InferOutput<typeof sealedSecret>;
