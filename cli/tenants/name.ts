import { visibleText } from '../../core/kernel/text.ts';

/** What people call a tenant. */
export const nameText = visibleText(128);
