import * as v from 'valibot';

/** What Cognito takes for a client's name, without line ends, and short enough to stand behind a tenant's id. */
export const clientName = v.pipe(
  v.string(),
  v.regex(/^[\w +=,.@-]{1,80}$/, 'expected 1 to 80 characters of A-Z a-z 0-9 _ + = , . @ - and spaces'),
);
