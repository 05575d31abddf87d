/** Where what a map shows comes from, in words. */

export interface LayerSource {
  readonly title: string;
  /** The publisher. */
  readonly name: string;
  /** ISO date. */
  readonly date: string;
}

/** `Parcels, roads: Town of Washington, 2026-07-01`: what one publisher gave at one time stands together. */
export function sourceWords(sources: readonly LayerSource[]): string[] {
  const titles = new Map<string, string[]>();
  for (const { title, name, date } of sources) {
    const from = `${name}, ${date}`;
    titles.set(from, [...(titles.get(from) ?? []), title]);
  }
  return [...titles].map(([from, things]) => `${[...new Set(things)].join(', ')}: ${from}`);
}
