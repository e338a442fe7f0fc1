import type { DefaultTheme } from 'vitepress';
import { apiReference } from './api-reference.ts';
import { glossary, type Page, places, readerPaths, titleOf } from './reader-paths.ts';
import { typedModules } from './type-reference.ts';

const linkTo = (source: string): string => `/${(places.get(source) ?? '').replace(/\.md$/, '')}`;

export const firstPageOf = ({ tasks }: (typeof readerPaths)[number]): string =>
  linkTo(tasks[0]?.pages[0]?.source ?? '');

const referenceSidebar = (): DefaultTheme.SidebarItem[] => [
  { text: 'Words', items: [{ text: titleOf(glossary.source), link: linkTo(glossary.source) }] },
  {
    text: 'API',
    items: apiReference().map(({ name, title }) => ({ text: title, link: `/reference/api/${name}` })),
  },
  {
    text: 'Types',
    items: typedModules.map(({ name, module }) => ({ text: module, link: `/reference/types/${name}` })),
  },
];

/** One by one they are read from their list. */
const isDecision = ({ source }: Page): boolean => /^docs\/adr\/\d/.test(source);

/** A sidebar for each reader, by task: it is their path, and "next" leads along it. */
export const sidebar = (): DefaultTheme.SidebarMulti => ({
  ...Object.fromEntries(
    readerPaths.map(({ id, tasks }) => [
      `/${id}/`,
      tasks.map(({ task, pages }) => ({
        text: task,
        items: pages
          .filter((page) => !isDecision(page))
          .map(({ source }) => ({ text: titleOf(source), link: linkTo(source) })),
      })),
    ]),
  ),
  '/reference/': referenceSidebar(),
});

export const navigation = (): DefaultTheme.NavItem[] => [
  {
    text: 'Readers',
    items: readerPaths.map((path) => ({ text: path.reader, link: firstPageOf(path) })),
  },
  {
    text: 'Reference',
    items: [
      { text: 'Glossary', link: linkTo(glossary.source) },
      { text: 'Errors', link: linkTo('docs/errors.md') },
      { text: 'API', link: '/reference/api/website' },
      { text: 'Types', link: '/reference/types/website' },
    ],
  },
  { text: 'Playground', link: linkTo('docs/playground.md') },
];
