/** Photos made small for a file that is sent: new JPEGs of the pixels alone. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { scriptPath } from '../../../package-root.ts';

export interface PhotoQuestion {
  readonly bytes: Uint8Array;
  readonly kind: 'jpeg' | 'png';
  /** 1 to 8, as EXIF counts: 1 is upright. */
  readonly orientation: number;
  /** Pixels of the longer side at most. */
  readonly side: number;
  /** Of a JPEG, 1 to 100. */
  readonly quality: number;
}

export interface SmallPhoto {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export type PhotoAnswer = SmallPhoto | { readonly problem: string };

/** A photo of 200 million pixels takes a tenth of it. */
const mostMilliseconds = 60_000;

/** Asks one photo after another of one thread; end it with `close`. */
export function photoShrinker() {
  const worker = new Worker(scriptPath('importing/formats/gdal/photo-worker'), {
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  let problem: string | null = null;
  worker.on('error', (error) => {
    problem = error instanceof Error ? error.message : String(error);
  });
  return {
    async shrink(question: PhotoQuestion): Promise<PhotoAnswer> {
      if (problem !== null) return { problem };
      worker.postMessage(question);
      try {
        const [answer] = await once(worker, 'message', { signal: AbortSignal.timeout(mostMilliseconds) });
        return answer as PhotoAnswer;
      } catch (error) {
        return { problem: error instanceof Error ? error.message : String(error) };
      }
    },
    close: () => worker.terminate(),
  };
}
