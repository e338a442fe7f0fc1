import { expect, test } from '@jest/globals';
import { pageOf } from '../../cli/list-page.ts';
import { parse } from './command-lines.ts';

type Row = { waiting: number; id: string };

const sorting = { order: 'target list --sort waiting', keyOf: ({ waiting, id }: Row) => [-waiting, id] };

const rows: Row[] = ['a', 'b', 'c', 'd'].map((id) => ({ waiting: 10, id }));

/** The options of a command line, as the commands get them. */
const optionsOf = async (cursor = '') => await parse(`target list --limit 2 --cursor ${cursor}`);

test('pages fit together when rows are added and removed between them', async () => {
  const first = pageOf(rows, sorting, { limit: 2 });
  expect(first.rows.map(({ id }) => id)).toEqual(['a', 'b']);
  const changed = [...rows.slice(2), { waiting: 11, id: 'x' }, { waiting: 9, id: 'y' }];
  const second = pageOf(changed, sorting, await optionsOf(first.cursor));
  expect(second.rows.map(({ id }) => id)).toEqual(['c', 'd']);
  const third = pageOf(changed, sorting, await optionsOf(second.cursor));
  expect(third).toEqual({ rows: [{ waiting: 9, id: 'y' }] });
});

test('a cursor of another order is rejected', async () => {
  const { cursor } = pageOf(rows, sorting, { limit: 2 });
  const byName = { ...sorting, order: 'target list --sort name' };
  const options = await optionsOf(cursor);
  expect(() => pageOf(rows, byName, options)).toThrow(
    '--cursor: it is of "omi target list --sort waiting", and not of "omi target list --sort name".',
  );
});
