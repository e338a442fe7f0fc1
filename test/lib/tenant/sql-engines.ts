/** Runs Athena's SQL here: a parser of Trino's grammar, and DuckDB with the functions of Trino that it lacks. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { fromNpm } from '../../docs/website-examples/from-npm.ts';

const run = promisify(execFile);

/** Undefined if npm cannot install them. */
export const engines = await fromNpm(['@duckdb/node-api@1.5.6-r.1', 'dt-sql-parser@4.5.1']);

/** What of Trino DuckDB calls otherwise. */
const macros = [
  "SET TimeZone = 'UTC'",
  'CREATE MACRO from_iso8601_timestamp(text) AS CAST(text AS TIMESTAMPTZ)',
  'CREATE MACRO date_format(moment, format) AS strftime(moment, format)',
  'CREATE MACRO approx_percentile(value, part) AS quantile_cont(value, part)',
];

/** In Trino, a list of rows becomes a column for each field. In DuckDB, it stays one column. */
const inDuckDb = (sql: string): string =>
  sql.replace(
    /CROSS JOIN UNNEST\(([\w.]+)\) AS event \([\w, ]+\)/,
    'CROSS JOIN LATERAL (SELECT one.* FROM (SELECT unnest($1) AS one)) AS event',
  );

/** Glue's type as DuckDB writes it. */
export function duckDbType(type: string): string {
  const array = /^array<(.*)>$/.exec(type)?.[1];
  if (array !== undefined) return `${duckDbType(array)}[]`;
  const struct = /^struct<(.*)>$/.exec(type)?.[1];
  if (struct === undefined) return type === 'string' ? 'VARCHAR' : type.toUpperCase();
  const fields = fieldsOf(struct).map(([name, inner]) => `"${name}" ${duckDbType(inner)}`);
  return `STRUCT(${fields.join(', ')})`;
}

/** `name:type` between commas that are not inside a type. */
function fieldsOf(struct: string): [string, string][] {
  let depth = 0;
  let field = '';
  const fields: string[] = [];
  for (const character of struct) {
    if (character === '<') depth += 1;
    if (character === '>') depth -= 1;
    if (character === ',' && depth === 0) {
      fields.push(field);
      field = '';
    } else field += character;
  }
  return [...fields, field].map((text) => {
    const [name = '', ...type] = text.split(':');
    return [name, type.join(':')];
  });
}

const program = `
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { TrinoSQL } from './trino.mjs';
const require = createRequire(process.argv[2]);
const { trino, setup, queries } = JSON.parse(readFileSync(process.argv[3], 'utf8'));
const faults = trino.map((sql) => new TrinoSQL().validate(sql).map(({ message }) => message));
const { DuckDBInstance } = require('@duckdb/node-api');
const connection = await (await DuckDBInstance.create(':memory:')).connect();
for (const sql of setup) await connection.run(sql);
const rows = [];
for (const sql of queries) rows.push((await connection.runAndReadAll(sql)).getRowObjectsJson());
console.log(JSON.stringify({ faults, rows }));
`;

export type SqlResult = {
  /** What Trino's grammar finds wrong with each text. */
  faults: string[][];
  rows: Record<string, unknown>[][];
};

/** The parser's modules can only be resolved by a bundler. */
async function bundleParser(installed: string, outfile: string): Promise<void> {
  const contents = "export { TrinoSQL } from 'dt-sql-parser/dist/parser/trino'";
  await build({ stdin: { contents, resolveDir: installed }, bundle: true, format: 'esm', outfile });
}

/** @param setup statements of DuckDB, before the queries; views are in the SQL of Athena */
export async function runSql(
  installed: string,
  {
    trino,
    setup,
    views,
    queries,
  }: { trino: string[]; setup: string[]; views: Record<string, string>; queries: string[] },
): Promise<SqlResult> {
  const folder = await mkdtemp(join(tmpdir(), 'omi-sql-'));
  try {
    const made = Object.entries(views).map(([name, sql]) => `CREATE VIEW ${name} AS ${inDuckDb(sql)}`);
    const input = { trino, setup: [...macros, ...setup, ...made], queries };
    await bundleParser(installed, join(folder, 'trino.mjs'));
    await writeFile(join(folder, 'program.mjs'), program);
    await writeFile(join(folder, 'input.json'), JSON.stringify(input));
    const args = ['program.mjs', join(installed, 'package.json'), 'input.json'];
    const { stdout } = await run(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(stdout) as SqlResult;
  } finally {
    await rm(folder, { recursive: true });
  }
}
