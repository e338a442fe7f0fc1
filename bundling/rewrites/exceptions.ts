import { foreignExceptions } from './foreign-exceptions.ts';

const member = (text: string): string => String.raw`\s*${text}`;

/**
 * A client has a class of 12 lines for every error that its service knows (DynamoDB 35, SNS 34), and registers them all: the
 * answer's error code decides at run time. Those of this form are made by one function instead.
 */
const knownClass = new RegExp(
  [
    String.raw`export class (?<name>\w+) extends __BaseException \{`,
    // Older clients do without.
    member(String.raw`(?:static shapeId = "(?<namespace>[\w.]+)#\k<name>";)?`),
    member(String.raw`name = "\k<name>";`),
    member(String.raw`\$fault = "(?<fault>client|server)";`),
    String.raw`(?<fields>(?:\s*\w+;)*)`,
    member(String.raw`constructor\(opts\) \{`),
    member(String.raw`super\(\{`),
    member(String.raw`name: "\k<name>",`),
    member(String.raw`\$fault: "\k<fault>",`),
    member(String.raw`\.\.\.opts,`),
    member(String.raw`\}\);`),
    member(String.raw`Object\.setPrototypeOf\(this, \k<name>\.prototype\);`),
    String.raw`(?<assignments>(?:\s*this\.\w+ = opts\.\w+;)*)`,
    member(String.raw`\}`),
    String.raw`\s*\}\n`,
  ].join(''),
  'g',
);

type Known = { name: string; namespace?: string; fault: string; fields: string; assignments: string };

const factory = (namespace: string | undefined): string => `
function exception(name, $fault, ...fields) {
  return class Exception extends __BaseException {
    ${namespace === undefined ? '' : `static shapeId = ${JSON.stringify(namespace)} + "#" + name;`}
    name = name;
    $fault = $fault;
    constructor(opts) {
      super({ name, $fault, ...opts });
      Object.setPrototypeOf(this, Exception.prototype);
      for (const field of fields) this[field] = opts[field];
    }
  };
}
`;

/** Rewrites `models/errors.js` of a client; a class of any other form stays as it is. */
export function shortExceptions(text: string, path: string): string {
  const dropped = foreignExceptions(path);
  const [first] = text.matchAll(knownClass);
  const namespace = first?.groups?.['namespace'];
  const met = new Set<string>();
  const short = text.replaceAll(knownClass, (...match) => {
    const known = match.at(-1) as Known;
    met.add(known.name);
    if (dropped.has(known.name)) return '';
    return known.namespace === namespace && assignsItsFields(known) ? callOf(known) : match[0];
  });
  const missing = [...dropped].filter((name) => !met.has(name));
  if (missing.length > 0) throw new Error(`it has no class ${missing.join(', ')} of the known form`);
  return short + factory(namespace);
}

const fieldsOf = ({ fields }: Known): string[] => [...fields.matchAll(/\w+/g)].map(([name]) => name);

const assignsItsFields = (known: Known): boolean =>
  known.assignments.replaceAll(/\s/g, '') ===
  fieldsOf(known)
    .map((field) => `this.${field}=opts.${field};`)
    .join('');

function callOf(known: Known): string {
  const values = [known.name, known.fault, ...fieldsOf(known)].map((value) => JSON.stringify(value));
  return `export const ${known.name} = /* @__PURE__ */ exception(${values.join(', ')});\n`;
}
