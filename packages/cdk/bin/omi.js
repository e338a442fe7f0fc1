#!/usr/bin/env node
// In the repository the sources run: what was built there may be old.
import { existsSync } from 'node:fs';

const source = new URL('../../../bin/omi.mjs', import.meta.url);
await import(existsSync(source) ? source.href : '../dist/cli/omi.js');
