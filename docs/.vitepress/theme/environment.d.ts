/** What the build sets: see `tools/documents/site/config.ts`. */
interface ImportMetaEnv {
  readonly OMI_VERSION: string;
  readonly OMI_VERSIONS_URL: string;
  readonly OMI_ROOT_PATH: string;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}

declare module '*.css';
