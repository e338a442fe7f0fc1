/** The same page in a newer version. */
import './page.ts';

document.title = 'Newer';
