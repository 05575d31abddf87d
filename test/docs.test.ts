/** Checks documents: everything that code or another document names exists, with its heading and files. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const folders = ['engine', 'renderer', 'electron', 'data', 'test', 'docs'];
const isText = (name: string): boolean => /\.(ts|tsx|mjs|mts|css|html|yml|md)$/.test(name);

/** Every file of the project, below the root. */
const files = [
  ...fs.readdirSync(root).filter((name) => fs.statSync(path.join(root, name)).isFile()),
  ...folders.flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/[\\/]node_modules([\\/]|$)/.test(entry.parentPath))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')),
  ),
];
const known = new Set(files);
const baseNames = new Set(files.map((file) => path.posix.basename(file)));
const documents = files.filter((file) => file.endsWith('.md'));
/** Names of files there are data, or this very test. */
/** Written beside a lake's files (`platbook lake`). */
const made = new Set(['SCHEMA.md']);
const unread = new Set(['test/electron/decisions.test.ts', 'test/docs.test.ts', 'CHANGELOG.md']);

/** Comments of several lines as one, so that a citation may be broken anywhere. */
const joined = (file: string): string =>
  fs.readFileSync(path.join(root, file), 'utf8').replace(/\n[ \t]*(?:\*(?!\/)|\/\/)?[ \t]*/g, ' ');

/** A named file as one of the project: from the root, or from where it is named. */
function find(name: string, from: string): string | null {
  const candidates = [name, path.posix.join(path.posix.dirname(from), name)].map((one) => path.posix.normalize(one));
  return candidates.find((one) => known.has(one)) ?? null;
}

const headingsOf = (document: string): string[] =>
  [...fs.readFileSync(path.join(root, document), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
    text.replaceAll('`', '').trim(),
  );
/** As GitHub makes them. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const sources = files
  .filter((file) => isText(file) && !unread.has(file))
  .map((file) => ({ file, text: joined(file) }))
  .filter(({ text }) => text.includes('.md'));
/** A document, and the headings quoted after it: `docs/x.md, "One" and "Two"`. */
const citation = /(?<![\w/.-])((?:[\w.-]+\/)*[\w-]+\.md)\b((?:(?:,| and) "[^"]+")*)/g;

describe('documents named in code and in documents', () => {
  const cited = sources.flatMap(({ file, text }) =>
    [...text.replace(/https?:\/\/\S+/g, '').matchAll(citation)].map(([, name = '', quoted = '']) => ({
      file,
      name,
      headings: [...quoted.matchAll(/"([^"]+)"/g)].map(([, heading = '']) => heading),
    })),
  );

  test('exist', () => {
    expect(cited.length).toBeGreaterThan(50);
    expect(cited.filter(({ file, name }) => !made.has(name) && find(name, file) === null)).toEqual([]);
  });

  test('have the headings that are cited', () => {
    const lost = cited.filter(({ file, name, headings }) => {
      const document = find(name, file);
      return document !== null && headings.some((heading) => !headingsOf(document).includes(heading));
    });
    expect(cited.flatMap(({ headings }) => headings).length).toBeGreaterThan(25);
    expect(lost).toEqual([]);
  });

  test('are cited by headings, never by numbers, which move', () => {
    const numbered = sources.filter(({ text }) => /\.md[,)]? (?:section |R?)\d/.test(text));
    expect(numbered.map(({ file }) => file)).toEqual([]);
  });
});

describe.each(documents.filter((file) => !unread.has(file)))('%s', (document) => {
  const text = fs.readFileSync(path.join(root, document), 'utf8');

  test('links to files and headings that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    const dead = links.filter(([, target = '', anchor]) => {
      const place = target === '' ? document : path.posix.join(path.posix.dirname(document), target);
      if (!fs.existsSync(path.join(root, place))) return true;
      return anchor !== undefined && !headingsOf(place).map(anchorOf).includes(anchor);
    });
    expect(dead.map(([link]) => link)).toEqual([]);
  });

  test('names files that exist', () => {
    const named = [...text.matchAll(/`((?:[\w.-]+\/)*[\w-][\w.-]*\.(?:ts|tsx|mjs|mts|css|md))`/g)].map(
      ([, name = '']) => name,
    );
    const isThere = (name: string) =>
      made.has(name) ||
      find(name, document) !== null ||
      (!name.includes('/') && baseNames.has(name)) ||
      name.startsWith('dist/');
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  });

  test('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...text.matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});
