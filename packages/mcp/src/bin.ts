#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander';
import { main, type Options } from './main.ts';
import { version } from './server/version.ts';
import { SettingsError } from './settings.ts';

const wholeNumber = (text: string): number => {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
};

const program = new Command()
  .name('omi-mcp')
  .description(
    'Lets the agent of an MCP host ask a person for approval, with OMI. Without options: over stdio, for OMI_USER_ID.',
  )
  .version(version)
  .option(
    '--http',
    'serve many users by streamable HTTP, with access tokens of OMI_MCP_ISSUER for OMI_MCP_RESOURCE',
  )
  .option('--host <address>', 'where to listen with --http', '127.0.0.1')
  .option('--port <number>', 'where to listen with --http', wholeNumber, 3333)
  .option('--actions <file>', 'module with the actions that this server carries out once they are approved')
  .option('--state <folder>', 'where tasks are kept, so that they survive a restart (default: ~/.omi-mcp)')
  .option('--lifetime <seconds>', 'how long the user may take to answer', wholeNumber, 300)
  .action(async (options: Options) => {
    await main(options, process.env);
  });

try {
  await program.parseAsync();
  // Nothing that is still open, such as a connection that is kept alive, holds the process.
  process.exit();
} catch (error) {
  const reason = error instanceof SettingsError || error instanceof Error ? error.message : String(error);
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
}
