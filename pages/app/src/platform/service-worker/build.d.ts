/** The build puts these constants in place. */

/** Paths of the page and of all that it loads. */
declare const SHELL: readonly string[];

/** Paths at which the server answers with the page. */
declare const PAGES: readonly string[];

/** Differs if the content of one of these files differs. */
declare const SHELL_VERSION: string;
