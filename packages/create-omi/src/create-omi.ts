#!/usr/bin/env node
/** `npx create-omi <folder>`. */
import { basename, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createFolder, FolderError } from './create-folder.ts';

const help = `Makes a folder with an app of the AWS CDK that deploys OMI.

Usage: npx create-omi <folder>

The folder must be new or empty. Nothing is installed or deployed.
`;

const nextSteps = (folder: string): string => `Made ${folder}. Next:

  cd ${folder}
  npm install
  npx omi preflight

README.md in the folder has the other steps. The settings of your stages are in omi.config.js.
`;

/** @returns the exit code: 0 done, 1 failed, 2 used wrongly */
async function run(args: string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    const [folder, ...others] = positionals;
    if (values.help === true) process.stdout.write(help);
    else if (folder === undefined || others.length > 0) throw new TypeError('Name one folder.');
    else {
      await createFolder(folder, basename(resolve(folder)));
      process.stdout.write(nextSteps(relative('', folder) || '.'));
    }
    return 0;
  } catch (error) {
    if (error instanceof FolderError) {
      process.stderr.write(`error: ${error.message}\n`);
      return 1;
    }
    // Node.js throws a TypeError for an unknown option, and so does the check above.
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`error: ${error.message}\n\n${help}`);
    return 2;
  }
}

process.exitCode = await run(process.argv.slice(2));
