import type { AccountNames, DeviceError, DeviceIdentity } from '#device';

/** Whose phone it is, without ids, which mean nothing to people. */
export const nameOf = ({ tenant = 'a user', account }: Partial<AccountNames>): string =>
  account === undefined ? tenant : `${account} at ${tenant}`;

/** True for a link that a shell has cut at its first `&`, because it was not quoted. */
const isCut = (link: string): boolean => /#v=\d+$/.test(link);

const cut =
  'The link ends at its first "&": the shell has cut it there. Put the link between single quotes:\n\n' +
  "  npm run phone -- '<link>'";

const empty = 'The link is empty. If it comes from a variable, the variable is not set.';

/** What an error at the enrolment means for a person at the terminal. */
export function explainEnrolment(error: DeviceError, link: string): string {
  if (error.code === 'network') return noAnswer(undefined);
  if (error.code !== 'invalid-link') return error.message;
  if (link === '') return empty;
  return isCut(link) ? cut : 'This is not an enrolment link. Pass the whole "qr" from POST /omi/enrol/qr.';
}

/** What an error means that stops an enrolled phone. */
export function explainEnd(
  error: DeviceError,
  { baseUrl }: DeviceIdentity,
  keyFile: string | undefined,
): string {
  if (error.code === 'network') return noAnswer(baseUrl);
  if (error.code !== 'invalid-signature') return error.message;
  const removed =
    'The service does not know this phone any more: it was removed, or the stack was started again without its data. ' +
    'Enrol again with a new link.';
  return keyFile === undefined
    ? removed
    : `${removed} The key in ${keyFile} is no longer useful: delete the file.`;
}

const noAnswer = (baseUrl: string | undefined): string =>
  `The service${baseUrl === undefined ? '' : ` at ${baseUrl}`} does not answer. If it was the local stack, it has ended: run "npm start".`;
