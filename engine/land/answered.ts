/**
 * What land answers: at once by a local home, later by a server. Code over it is written once: `andThen` goes on at once
 * where the answer is there, so that a call of a local home stays one synchronous piece.
 */
export type Answered<Result> = Result | Promise<Result>;

/** Goes on with an answer, at once if it is there. */
export const andThen = <Given, Result>(
  answer: Answered<Given>,
  next: (given: Given) => Answered<Result>,
): Answered<Result> => (answer instanceof Promise ? answer.then(next) : next(answer));

/** Asks for each item once the one before has its answer. @returns all that they found */
export const eachInTurn = <Item, Found>(
  items: readonly Item[],
  ask: (item: Item) => Answered<readonly Found[]>,
): Answered<Found[]> =>
  items.reduce<Answered<Found[]>>(
    (found, item) => andThen(found, (before) => andThen(ask(item), (more) => [...before, ...more])),
    [],
  );

/** Repeats a step until it has a result; steps that answer at once run in one synchronous piece. */
export function repeat<Result>(step: () => Answered<Result | null>): Answered<Result> {
  for (;;) {
    const done = step();
    if (done instanceof Promise) return done.then((result) => result ?? repeat(step));
    if (done !== null) return done;
  }
}

/** The answer of a local home, for callers that have no time to wait. @throws TypeError if a server is to answer */
export function atOnce<Result>(answer: Answered<Result>): Result {
  if (answer instanceof Promise) throw new TypeError('only a local home answers at once');
  return answer;
}
