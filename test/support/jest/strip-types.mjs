import { stripTypeScriptTypes } from 'node:module';

/** Node.js blanks the types out, so that lines and columns stay. Type errors are `npm run types`'s business. */
export default { process: (source) => ({ code: stripTypeScriptTypes(source) }) };
