import { visibleText } from '../../core/domain/text.ts';

/** What people call a tenant. */
export const nameText = visibleText(128);
