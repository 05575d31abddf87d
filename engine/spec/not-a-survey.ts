/** Stands on every file and page that shows boundaries. */
export const notASurvey = 'Boundaries are approximate, not a survey.';
