/** The synthetic sample and real data never mix, neither in a home nor on a server. */
import { EngineError } from '../spec/errors.ts';

export type HomeKind = 'sample' | 'real';

const kindWords: Readonly<Record<HomeKind, string>> = { sample: 'the synthetic sample', real: 'real data' };

/** What holds land, and what another kind needs. */
const holders = { home: ['This home', 'a home'], server: ['The server', 'a database'] } as const;

/** @param held null while nothing is held @throws EngineError sample_and_real */
export function expectKind(holder: keyof typeof holders, held: HomeKind | null, brought: HomeKind): void {
  if (held === null || held === brought) return;
  const [subject, needed] = holders[holder];
  throw new EngineError(
    'sample_and_real',
    `${subject} holds ${kindWords[held]}; ${kindWords[brought]} needs ${needed} of its own.`,
  );
}
