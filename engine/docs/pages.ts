/** The generated pages and where they stand; a test fails when one is stale. */
import { apiPage } from './api-page.ts';
import { dictionaryPage } from './dictionary-page.ts';

export const generatedPages: Readonly<Record<string, () => string>> = {
  'engine/API.md': apiPage,
  'data/DICTIONARY.md': dictionaryPage,
};
