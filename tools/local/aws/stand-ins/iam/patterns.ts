/** IAM's patterns: `*` matches any text, `?` any character. */
export function isLike(pattern: string, value: string): boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(value);
}

const PARTS = 6;

/** "ARN condition operators" in IAM's guide: each of the six parts is its own pattern, so none matches across a colon. */
export function isArnLike(pattern: string, value: string): boolean {
  const [patterns, values] = [arnParts(pattern), arnParts(value)];
  return (
    patterns.length === PARTS &&
    values.length === PARTS &&
    patterns.every((part, index) => isLike(part, values[index] ?? ''))
  );
}

function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return [...parts.slice(0, PARTS - 1), ...(parts.length < PARTS ? [] : [parts.slice(PARTS - 1).join(':')])];
}
