/** Terraform's language, as far as policies need it. */

declare const hcl: unique symbol;
/** Text that is an expression of the language, not a string yet to be quoted. */
export type Expression = string & { readonly [hcl]: true };

/** An expression that this program, not a tenant, wrote. */
export const expression = (text: string): Expression => text as Expression;

/** Short escapes of JSON that the language lacks, and the marks that would begin a template inside of a string. */
const codes: Record<string, string> = { '\\b': '\\u0008', '\\f': '\\u000c', $: '\\u0024', '%': '\\u0025' };

/** A value as a literal. But for {@link codes}, JSON is the language's own notation of objects and lists. */
export const hclValue = (value: unknown): Expression =>
  expression(
    JSON.stringify(value, null, 2).replaceAll(/\\.|[$%](?=\{)/g, (special) => codes[special] ?? special),
  );

export function block([type = '', ...labels]: string[], attributes: Record<string, Expression>): string {
  const head = [type, ...labels.map((label) => `"${label}"`)].join(' ');
  const body = Object.entries(attributes).map(([name, value]) => `  ${name} = ${indented(value)}\n`);
  return `${head} {\n${body.join('')}}\n`;
}

const indented = (text: string): string => text.replaceAll('\n', '\n  ');
