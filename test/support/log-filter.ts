/**
 * The filter patterns of CloudWatch Logs for JSON lines that the stack uses: comparisons of a field with a text,
 * joined by `&&` and `||` in parentheses.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
type Line = Record<string, unknown>;

const comparison = /\$\.([\w.]+) = ("[^"]*")/g;

/** A field by its selector, like `$.fault.origin`. */
export const fieldOf = (line: Line, selector: string): unknown =>
  selector
    .replace(/^\$\./, '')
    .split('.')
    .reduce<unknown>((value, name) => (value as Line | undefined)?.[name], line);

/** Whether CloudWatch Logs would count the line. */
export function matches(pattern: string, line: Line): boolean {
  const [, condition] = /^\{ (.*) \}$/.exec(pattern) ?? [];
  if (condition === undefined) throw new Error(`not a pattern for JSON lines: ${pattern}`);
  const truths = condition.replace(comparison, (_, selector: string, text: string) =>
    String(fieldOf(line, selector) === JSON.parse(text)),
  );
  return isTrue(truths);
}

/** `true` and `false`, joined; what is in parentheses goes first, then `&&`. */
function isTrue(truths: string): boolean {
  const inner = /\(([^()]*)\)/.exec(truths);
  if (inner) return isTrue(truths.replace(inner[0], String(isTrue(inner[1] ?? ''))));
  if (!/^(true|false)( (&&|\|\|) (true|false))*$/.test(truths)) throw new Error(`not understood: ${truths}`);
  return truths.split(' || ').some((all) => all.split(' && ').every((one) => one === 'true'));
}
