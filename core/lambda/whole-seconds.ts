import * as v from 'valibot';

/** A variable of the environment. */
export const wholeSeconds = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/),
  v.transform(Number),
  v.minValue(1),
  // The longest visibility timeout of a message.
  v.maxValue(43_200),
);
