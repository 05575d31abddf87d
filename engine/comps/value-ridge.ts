/** Weighted ridge regression with a free intercept, made robust by Huber weights; weighted medians. */

export interface RidgeProblem {
  /** Row by row, `columnCount` numbers each. */
  readonly features: Float64Array;
  readonly columnCount: number;
  readonly targets: Float64Array;
  /** Not negative, some positive. */
  readonly weights: Float64Array;
  readonly priors: readonly number[];
  /** Positive: they also keep the equations solvable. */
  readonly penalties: readonly number[];
}

interface RidgeFit {
  readonly intercept: number;
  readonly coefficients: Float64Array;
}

/** Solves A x = b for a symmetric positive definite A (row by row), by Cholesky's A = L Lᵀ. A and b are overwritten. */
function solvePositiveDefinite(a: Float64Array, b: Float64Array): Float64Array {
  const n = b.length;
  const at = (row: number, column: number) => a[row * n + column] as number;
  for (let row = 0; row < n; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = at(row, column);
      for (let k = 0; k < column; k++) sum -= at(row, k) * at(column, k);
      a[row * n + column] = row === column ? Math.sqrt(sum) : sum / at(column, column);
    }
  }
  for (let row = 0; row < n; row++) {
    let sum = b[row] as number;
    for (let k = 0; k < row; k++) sum -= at(row, k) * (b[k] as number);
    b[row] = sum / at(row, row);
  }
  for (let row = n - 1; row >= 0; row--) {
    let sum = b[row] as number;
    for (let k = row + 1; k < n; k++) sum -= at(k, row) * (b[k] as number);
    b[row] = sum / at(row, row);
  }
  return b;
}

/**
 * Minimizes sum w (y - c - b f)² + sum penalty (b - prior)². After subtracting the weighted means, c drops out and the
 * normal equations are (FᵀWF + P) b = FᵀWy + P prior.
 */
export function fitRidge({ features, columnCount, targets, weights, priors, penalties }: RidgeProblem): RidgeFit {
  const rowCount = targets.length;
  const means = new Float64Array(columnCount);
  let meanTarget = 0;
  let weightSum = 0;
  for (let row = 0; row < rowCount; row++) {
    const weight = weights[row] as number;
    weightSum += weight;
    meanTarget += weight * (targets[row] as number);
    for (let j = 0; j < columnCount; j++) {
      means[j] = (means[j] as number) + weight * (features[row * columnCount + j] as number);
    }
  }
  meanTarget /= weightSum;
  for (let j = 0; j < columnCount; j++) means[j] = (means[j] as number) / weightSum;

  const matrix = new Float64Array(columnCount * columnCount);
  const right = new Float64Array(columnCount);
  const centred = new Float64Array(columnCount);
  for (let row = 0; row < rowCount; row++) {
    const weight = weights[row] as number;
    const target = (targets[row] as number) - meanTarget;
    for (let j = 0; j < columnCount; j++) {
      const value = (features[row * columnCount + j] as number) - (means[j] as number);
      centred[j] = value;
      right[j] = (right[j] as number) + weight * value * target;
      for (let k = 0; k <= j; k++) {
        matrix[j * columnCount + k] = (matrix[j * columnCount + k] as number) + weight * value * (centred[k] as number);
      }
    }
  }
  for (let j = 0; j < columnCount; j++) {
    const penalty = penalties[j] as number;
    matrix[j * columnCount + j] = (matrix[j * columnCount + j] as number) + penalty;
    right[j] = (right[j] as number) + penalty * (priors[j] as number);
  }
  const coefficients = solvePositiveDefinite(matrix, right);
  let intercept = meanTarget;
  for (let j = 0; j < columnCount; j++) intercept -= (coefficients[j] as number) * (means[j] as number);
  return { intercept, coefficients };
}

export function residualsOf({ features, columnCount, targets }: RidgeProblem, fit: RidgeFit): Float64Array {
  return targets.map((target, row) => {
    let residual = target - fit.intercept;
    for (let j = 0; j < columnCount; j++) {
      residual -= (fit.coefficients[j] as number) * (features[row * columnCount + j] as number);
    }
    return residual;
  });
}

/** A robust standard deviation is 1.4826 times the median of absolute deviations (of a normal distribution). */
export const madScale = 1.4826;

/**
 * Repeats the fit with weights w min(1, c s / |residual|), s the robust standard deviation of the residuals (P. J.
 * Huber, 1964), `passes` times.
 */
export function fitRobustRidge(problem: RidgeProblem, huber: number, passes: number): RidgeFit {
  let fit = fitRidge(problem);
  for (let pass = 0; pass < passes; pass++) {
    const deviations = residualsOf(problem, fit).map(Math.abs);
    const limit = huber * madScale * medianOf(deviations);
    // half of the residuals are zero: there is no scale for outliers
    if (limit < 1e-9) break;
    const weights = problem.weights.map((weight, row) => weight * Math.min(1, limit / (deviations[row] as number)));
    fit = fitRidge({ ...problem, weights });
  }
  return fit;
}

/** The middle value; the mean of the two middle ones. NaN without values. */
export function medianOf(values: Iterable<number>): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The value with half of the weight on either side; between two values if they split it evenly. */
export function weightedMedianOf(values: readonly number[], weights: readonly number[]): number {
  const order = values.map((value, i) => ({ value, weight: weights[i] ?? 0 })).sort((a, b) => a.value - b.value);
  const half = order.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let below = 0;
  for (const [i, { value, weight }] of order.entries()) {
    below += weight;
    if (below > half * (1 + 1e-12)) return value;
    if (below >= half * (1 - 1e-12)) return (value + (order[i + 1]?.value ?? value)) / 2;
  }
  return Number.NaN;
}
