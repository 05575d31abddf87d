/** A statement may take an hour, and a server that has gone takes forever: another connection tells one from the other. */

/** In a row: an answer may be on its way at the first. */
const looksWithoutWork = 2;

interface Silence {
  /** How long to wait before each look. */
  readonly milliseconds: number;
  /** Whether the server works on the statement; null: it does not answer at all. */
  readonly look: () => Promise<boolean | null>;
  readonly end: () => void;
}

/** Calls `end` once the server is silent. @returns stops watching */
export function watchSilence({ milliseconds, look, end }: Silence): () => void {
  let [isOver, idle] = [false, 0];
  const lookLater = () => setTimeout(() => void lookOnce(), milliseconds).unref();
  let timer = lookLater();
  const lookOnce = async (): Promise<void> => {
    const works = await look();
    if (isOver) return;
    idle = works ? 0 : idle + 1;
    if (works === null || idle >= looksWithoutWork) end();
    else timer = lookLater();
  };
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
