/** Joined text as people write it: `Fn::Sub` with the references in their places. */
export function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, readable(inner)] as const);
  const [[name, joined] = []] = entries;
  return name === 'Fn::Join' && Array.isArray(joined) && joined[0] === ''
    ? substitution(joined[1] as unknown[])
    : Object.fromEntries(entries);
}

function substitution(parts: unknown[]): unknown {
  const variables: Record<string, unknown> = {};
  const text = parts.map((part) => {
    if (typeof part === 'string') return part.replaceAll('${', '${!');
    const name = referenceIn(part) ?? `Part${Object.keys(variables).length + 1}`;
    if (!referenceIn(part)) variables[name] = part;
    return `\${${name}}`;
  });
  const sub = text.join('');
  return { 'Fn::Sub': Object.keys(variables).length > 0 ? [sub, variables] : sub };
}

function referenceIn(part: unknown): string | undefined {
  const { Ref, 'Fn::GetAtt': attribute } = part as { Ref?: string; 'Fn::GetAtt'?: string[] };
  return Ref ?? attribute?.join('.');
}
