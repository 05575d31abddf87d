/** The name of a list filter's value: its label, with the value itself if two values share the label. */
interface Choice {
  readonly value: string;
  readonly label: string | null;
}

export function choiceWords(choices: readonly Choice[]): ReadonlyMap<string, string> {
  const times = new Map<string, number>();
  for (const { label } of choices) if (label !== null) times.set(label, (times.get(label) ?? 0) + 1);
  return new Map(
    choices.map(({ value, label }) => [
      value,
      label === null || times.get(label) === 1 ? (label ?? value) : `${label} (${value})`,
    ]),
  );
}
