/** `npm run phone -- '<link>'`: a simulated phone for trying the API by hand. */
import { DeviceError } from '#device';
import { ClientError } from '../../../client/http.ts';
import { answerChallenges } from './answering.ts';
import { KeyFile } from './key-file.ts';
import { enrol, resume } from './kept-phone.ts';
import { readOptions, usage } from './options.ts';
import { explainEnd, nameOf } from './plain-words.ts';
import { requireInput } from './terminal.ts';
import { userAt } from './user.ts';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    console.log(usage);
    return;
  }
  const { link, keyFile, standing } = options;
  // Before a code is used up.
  if (standing === undefined) requireInput();
  const device = link === undefined ? await resume(new KeyFile(keyFile ?? '')) : await enrol(link, options);
  const { identity } = device;
  const what = link === undefined ? 'Goes on' : 'Enrolled';
  console.log(`${what} for ${nameOf(identity)}. Waiting for challenges; stop with Ctrl-C.`);
  try {
    await answerChallenges(device, userAt(standing));
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    throw new ClientError(explainEnd(error, identity, keyFile), { cause: error });
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
