import { join } from 'node:path';
import { type DefaultTheme, defineConfig, type UserConfig } from 'vitepress';
import { anchorOf } from './links.ts';
import { ofRepository } from './markdown.ts';
import { navigation, sidebar } from './navigation.ts';
import { withPolicy } from './policy.ts';
import { root } from './reader-paths.ts';
import { repositoryOf } from './repository.ts';
import { baseOf, editionOf, versionsFile } from './versions.ts';

const edition = editionOf(process.env);
const repository = repositoryOf(process.env);

const packageOf = (name: string): string => join(root, 'packages', name, 'src/index.ts');

/** What the playground imports, from its sources. */
const alias = {
  '@omi/website': packageOf('website'),
  '#elements': packageOf('elements'),
  '#testing': packageOf('testing'),
  '#website': packageOf('website'),
  'node:crypto': join(root, 'docs/.vitepress/theme/playground/node-crypto.ts'),
};

export const siteConfig: UserConfig<DefaultTheme.Config> = defineConfig({
  title: 'OMI',
  description: 'Step-up confirmation by push, and event export to your own cloud',
  lang: 'en',
  base: baseOf(edition),
  srcDir: '.vitepress/pages',
  outDir: '.vitepress/dist',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${baseOf(edition)}icon.svg` }]],
  cacheDir: '.vitepress/cache',
  metaChunk: true,
  // Any other dead link fails the build. These lead to the reader's own machine.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    anchor: { slugify: anchorOf },
    // Their contrast is enough, also of comments.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => ofRepository(md, repository),
  },
  vite: {
    resolve: { alias },
    define: {
      'import.meta.env.OMI_VERSION': JSON.stringify(edition.version),
      'import.meta.env.OMI_VERSIONS_URL': JSON.stringify(`${edition.rootPath}${versionsFile}`),
      'import.meta.env.OMI_ROOT_PATH': JSON.stringify(edition.rootPath),
    },
    // VitePress' esbuild is older than the language of the root's tsconfig.
    esbuild: { target: 'es2022', tsconfigRaw: '{}' },
    build: { chunkSizeWarningLimit: 2_000 },
  },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('omi-') } } },
  transformHtml: withPolicy,
  themeConfig: {
    nav: navigation(),
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local', options: { detailedView: true } },
    ...(repository.url !== undefined && { socialLinks: [{ icon: 'github', link: repository.url }] }),
  },
});
