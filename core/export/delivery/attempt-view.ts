import { rfc3339 } from '../../kernel/time.ts';
import { withoutVendorMessage } from '../targets/vendor-message.ts';
import type { Attempt } from './attempt.ts';

const escaped = (text: string): string =>
  text.replaceAll(/\p{C}/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/**
 * An attempt as people see it. A receiver writes its answer as it likes: its control characters are escaped.
 *
 * @param isOperator what AWS says of the operator's resources is for the operator alone
 */
export function attemptView({ at, answer, code, reason, actor, ...others }: Attempt, isOperator = false) {
  const shown =
    reason === undefined || isOperator || actor === 'tenant' ? reason : withoutVendorMessage(reason);
  return {
    at: rfc3339(at),
    ...others,
    ...(code !== undefined && { error: shown === undefined ? code : `${code}: ${shown}` }),
    ...(answer !== undefined && { answer: escaped(answer) }),
  };
}
