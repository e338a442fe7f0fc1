/** Writes the declarations of `@omi/cdk`: those of `lib/omi-stage.ts`, with the settings of a stage written out. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  declaration: true,
  emitDeclarationOnly: true,
  skipLibCheck: true,
  types: ['node'],
};

/** The types of the settings are inferred from the schemas, whose types and libraries an operator does not need. */
const written = ['StageName', 'StageSettings'];

export function declarations(): string {
  const program = ts.createProgram([fromRoot('lib/omi-stage.ts')], options);
  const stage = program.getSourceFile(fromRoot('lib/omi-stage.ts'));
  const config = program.getSourceFile(fromRoot('lib/config.ts'));
  if (!stage || !config) throw new Error('The sources of the declarations are missing.');
  const checker = program.getTypeChecker();
  const types = written.map((name) => {
    const symbol = checker.resolveName(name, config, ts.SymbolFlags.TypeAlias, false);
    if (!symbol) throw new Error(`${name} is missing in lib/config.ts.`);
    return `${docsOf(symbol, checker, '')}export type ${name} = ${print(checker.getDeclaredTypeOfSymbol(symbol), checker, '')};`;
  });
  let text = '';
  program.emit(stage, (_, emitted) => (text = emitted), undefined, true);
  const [imports = '', ...rest] = text.split(/^import .* from '\.\/config\.ts';\n/m);
  if (rest.length !== 1) throw new Error('lib/omi-stage.ts must import its types from ./config.ts.');
  return `${imports}${types.join('\n')}\n${rest.join('')}`;
}

function docsOf(symbol: ts.Symbol, checker: ts.TypeChecker, indent: string): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  return text === '' ? '' : `/** ${text.replaceAll('\n', ' ')} */\n${indent}`;
}

function print(type: ts.Type, checker: ts.TypeChecker, indent: string): string {
  if (type.isUnion()) return printUnion(type, checker, indent);
  // An enumeration is a number, too: the settings have numbers.
  if (type.isNumberLiteral()) return String(type.value);
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    if (element) return `Array<${print(element, checker, indent)}>`;
  }
  return type.flags & ts.TypeFlags.Object ? printObject(type, checker, indent) : checker.typeToString(type);
}

/** A member that may be missing has no `undefined`, and one that may be `true` or `false` is a boolean. */
function printUnion({ types }: ts.UnionType, checker: ts.TypeChecker, indent: string): string {
  const isBoolean = types.filter(({ flags }) => flags & ts.TypeFlags.BooleanLiteral).length === 2;
  const printed = types
    .filter(
      ({ flags }) => !(flags & ts.TypeFlags.Undefined) && !(isBoolean && flags & ts.TypeFlags.BooleanLiteral),
    )
    .map((type) => print(type, checker, indent));
  return [...(isBoolean ? ['boolean'] : []), ...printed].join(' | ');
}

function printObject(type: ts.Type, checker: ts.TypeChecker, indent: string): string {
  const inner = `${indent}  `;
  const properties = checker.getPropertiesOfType(type).map((property) => {
    const mark = property.flags & ts.SymbolFlags.Optional ? '?' : '';
    const value = print(checker.getTypeOfSymbol(property), checker, inner);
    return `${inner}${docsOf(property, checker, inner)}${property.name}${mark}: ${value};\n`;
  });
  const indexed = checker
    .getIndexInfosOfType(type)
    .map(({ type: value }) => `${inner}[name: string]: ${print(value, checker, inner)};\n`);
  return `{\n${[...properties, ...indexed].join('')}${indent}}`;
}
