/** `npm start`: the whole service on this machine. */
import './require-node.mjs';

// Dynamic, because an older Node.js cannot load the rest.
const { keepCompiledModules } = await import('./command/compiled-modules.ts');
keepCompiledModules();
const { run } = await import('./command/run.ts');
process.exit(await run(process.argv.slice(2), process.env));
