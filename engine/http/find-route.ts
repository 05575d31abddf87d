/** Finds the route of a request's path; a slash at the end makes no difference. */
import type { Route } from './routes.ts';

export interface FoundRoute {
  readonly route: Route;
  readonly pathValues: Readonly<Record<string, string>>;
}

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

/** A path that does not decode is looked up as written: its route refuses it like any other value. */
function decoded(decode: (text: string) => string, text: string): string {
  try {
    return text.includes('%') ? decode(text) : text;
  } catch {
    return text;
  }
}

/** @returns for a path as sent its route, of which no parameter is empty; null for none */
export function routeFinder(routes: readonly Route[]): (path: string) => FoundRoute | null {
  const fixed = new Map<string, FoundRoute>();
  /** By the number of their parts. */
  const open = new Map<number, { readonly route: Route; readonly parts: readonly string[] }[]>();
  for (const route of routes) {
    const path = withoutSlash(route.path);
    const parts = path.split('/');
    if (path.includes('/:')) open.set(parts.length, [...(open.get(parts.length) ?? []), { route, parts }]);
    else fixed.set(path, { route, pathValues: {} });
  }
  return (sent) => {
    const path = withoutSlash(sent);
    // `decodeURI` leaves an encoded slash as it is, which parts nothing.
    const found = fixed.get(decoded(decodeURI, path));
    if (found) return found;
    const given = path.split('/').map((part) => decoded(decodeURIComponent, part));
    for (const { route, parts } of open.get(given.length) ?? []) {
      const pathValues = valuesOf(parts, given);
      if (pathValues) return { route, pathValues };
    }
    return null;
  };
}

function valuesOf(parts: readonly string[], given: readonly string[]): Record<string, string> | null {
  const values: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const value = given[at] ?? '';
    if (!part.startsWith(':')) {
      if (part !== value) return null;
    } else if (value === '') return null;
    else values[part.slice(1)] = value;
  }
  return values;
}
