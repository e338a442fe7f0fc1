import * as v from 'valibot';
import { shownText } from '../../core/domain/text.ts';

/** What people call a tenant. */
export const nameText = v.pipe(shownText(128), v.nonEmpty('expected at least 1 character'));
