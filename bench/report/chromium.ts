import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from '../../local/browsers/find.ts';

/** Without a window. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findBrowser('chromium');
  if (executablePath === undefined) throw new Error('There is no Chromium. OMI_CHROMIUM names one.');
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return await chromium.launch({ executablePath, args });
}
