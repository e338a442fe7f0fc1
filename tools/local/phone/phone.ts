/** `npm run phone -- '<link>'`: a simulated phone for trying the API by hand. */
import { type AccountNames, type Device, DeviceError, preview, scan } from '#device';
import { ClientError } from '../../../client/http.ts';
import { enrolPhone } from '../client/phone.ts';
import { answerChallenges } from './answering.ts';
import { readOptions, usage } from './options.ts';
import { requireInput } from './terminal.ts';
import { userAt } from './user.ts';

/** Whose phone it is, without ids, which mean nothing to people. */
const nameOf = ({ tenant = 'a user', account }: Partial<AccountNames>): string =>
  account === undefined ? tenant : `${account} at ${tenant}`;

const cut =
  'The link ends at its first "&": the shell has cut it there. Put the link between single quotes:\n\n' +
  "  npm run phone -- '<link>'";

/** What an error means for a person at the terminal. */
function explain(error: DeviceError, link: string): string {
  if (error.code === 'network')
    return 'The service does not answer. If it was the local stack, it has ended: run "npm start".';
  if (error.code === 'invalid-signature')
    return 'The service does not know this phone any more: it was removed, or the stack was started again without its data. Enrol again with a new link.';
  if (error.code !== 'invalid-link') return error.message;
  if (link === '') return 'The link is empty. If it comes from a variable, the variable is not set.';
  return /#v=\d+$/.test(link)
    ? cut
    : 'This is not an enrolment link. Pass the whole "qr" from POST /omi/enrol/qr.';
}

async function enrol(link: string, name: string): Promise<Device> {
  const target = scan(link);
  console.log(`The link enrols a phone for ${nameOf(await preview(target))}.`);
  const device = await enrolPhone(target, { name });
  console.log(`Enrolled for ${nameOf(device.identity)}. Waiting for challenges; stop with Ctrl-C.`);
  return device;
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    console.log(usage);
    return;
  }
  const { link, name, standing } = options;
  // Before a code is used up.
  if (standing === undefined) requireInput();
  try {
    await answerChallenges(await enrol(link, name), userAt(standing));
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    throw new ClientError(explain(error, link), { cause: error });
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ClientError)) throw error;
  console.error(error.message);
  // The terminal's input would keep the process alive.
  process.exit(1);
}
