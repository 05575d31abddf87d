/** The generated pages by path; a test fails if one is stale. */
import { apiPage } from './api-page.ts';
import { dictionaryPage } from './dictionary-page.ts';
import { typesPage } from './types-page.ts';

export const generatedPages: Readonly<Record<string, () => string>> = {
  'engine/API.md': apiPage,
  'data/DICTIONARY.md': dictionaryPage,
  'engine/spec/wire-types.ts': typesPage,
};
