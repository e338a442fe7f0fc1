/** IAM's patterns: `*` matches any text, `?` any character. */
export function isLike(pattern: string, value: string): boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(value);
}

const partCount = 6;

/** "ARN condition operators" in IAM's guide: each of the six parts is its own pattern, so none matches across a colon. */
export function isArnLike(pattern: string, value: string): boolean {
  const [patterns, values] = [arnParts(pattern), arnParts(value)];
  return (
    patterns.length === partCount &&
    values.length === partCount &&
    patterns.every((part, index) => isLike(part, values[index] ?? ''))
  );
}

function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return [
    ...parts.slice(0, partCount - 1),
    ...(parts.length < partCount ? [] : [parts.slice(partCount - 1).join(':')]),
  ];
}
