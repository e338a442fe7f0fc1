import * as v from 'valibot';
import { shownText } from '../../core/domain/text.ts';

/** What people call a tenant. */
export const nameText = v.pipe(
  shownText(128),
  v.regex(
    /[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u,
    'expected at least 1 character that is seen',
  ),
);
