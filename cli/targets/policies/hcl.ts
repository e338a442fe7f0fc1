/** The part of Terraform's language that policies need. */

declare const hcl: unique symbol;
/** An expression of the language, in contrast to a string that needs quotes. */
export type Expression = string & { readonly [hcl]: true };

/** Only for text from this program, never from a tenant. */
export const expression = (text: string): Expression => text as Expression;

/** JSON's short escapes that the language lacks, and the characters that begin a template inside of a string. */
const codes: Record<string, string> = { '\\b': '\\u0008', '\\f': '\\u000c', $: '\\u0024', '%': '\\u0025' };

/** A value as a literal. Except for {@link codes}, the language writes objects and lists like JSON. */
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
