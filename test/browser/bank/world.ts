import type { BrowserContextOptions } from 'playwright-core';
import type { Chromium } from '../../support/browser/use-chromium.ts';
import type { TestStack } from '../../support/stack.ts';
import type { BankWindow } from './bank-window.ts';

export type BankWorld = {
  stack: TestStack;
  chromium: Chromium;
  open: (options?: BrowserContextOptions) => Promise<BankWindow>;
};
