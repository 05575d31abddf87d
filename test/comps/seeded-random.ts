/** Numbers from 0 to below 1, the same for the same seed (Park and Miller). */
export function seededRandom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
