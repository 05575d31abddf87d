/** The question before closing a window or quitting: running work is neither stopped silently nor hidden. */
import type { MessageBoxOptions } from 'electron/main';

type CloseAnswer = 'go_on' | 'keep_working' | 'stop_and_go_on' | 'stay';

export interface Closing {
  readonly runningJobs: number;
  /** Whether no window remains afterwards. */
  readonly isLast: boolean;
  readonly isQuitting: boolean;
}

export const mustAsk = ({ runningJobs, isLast, isQuitting }: Closing): boolean =>
  runningJobs > 0 && (isLast || isQuitting);

const works = (count: number): string => (count === 1 ? 'One job is' : `${count} jobs are`);

/** The question, and the meaning of its buttons. */
export function closeQuestion({ runningJobs, isQuitting }: Closing): {
  readonly box: MessageBoxOptions;
  readonly answers: readonly CloseAnswer[];
} {
  const buttons: [string, CloseAnswer][] = [
    ...(isQuitting ? [] : ([['Keep Working Without a Window', 'keep_working']] as [string, CloseAnswer][])),
    ['Stop the Work and Quit', 'stop_and_go_on'],
    ['Cancel', 'stay'],
  ];
  return {
    box: {
      type: 'question',
      message: `${works(runningJobs)} still at work.`,
      detail: 'Stopped work is rolled back, except for finished parts; nothing is half-written.',
      buttons: buttons.map(([label]) => label),
      defaultId: 0,
      cancelId: buttons.length - 1,
      noLink: true,
    },
    answers: buttons.map(([, answer]) => answer),
  };
}
